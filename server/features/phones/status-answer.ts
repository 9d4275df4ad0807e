import type { z } from 'zod'
import { MobileStatusAnswer } from '../../../shared/mobile.ts'

type Answer = z.output<typeof MobileStatusAnswer>
const encoded = new Map<number, string>()

/**
 * Serialises the answer of a status call. It is five yeses or noes, so there are thirty-two of them, each checked
 * against its schema and encoded once.
 */
export function serializeStatus(answer: Answer): string {
  const { is_muted, speaker_on, wants_to_speak, is_speaking, host_mute_all_active } = answer.data
  const key =
    Number(is_muted) +
    2 * Number(speaker_on) +
    4 * Number(wants_to_speak) +
    8 * Number(is_speaking) +
    16 * Number(host_mute_all_active)
  const known = encoded.get(key)
  if (known) return known
  const text = JSON.stringify(MobileStatusAnswer.parse(answer))
  encoded.set(key, text)
  return text
}
