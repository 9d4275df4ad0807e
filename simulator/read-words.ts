import { CallFailure } from '../shared/phone/call.ts'
import type { Schedule } from '../shared/phone/schedule.ts'
import type { SimulatedPhone } from './phone.ts'

const READ_AFTER_MS = [2_000, 20_000] as const
/** A few never look at their phones. */
const READ_BY = 0.85
const HEARS_WELL = 0.9

/** Reads each word of the host after some seconds, and answers one that asks how well its user hears. */
export function readWords(phone: SimulatedPhone, schedule: Schedule) {
  const random = phone.random.fork('words')
  const seen = new Set<string>()
  phone.on('state', ({ words }) => {
    const list = words?.list ?? []
    for (const id of seen) if (!list.some((word) => word.id === id)) seen.delete(id)
    for (const { id, asks } of list) {
      if (seen.has(id)) continue
      seen.add(id)
      if (random.next() > READ_BY) continue
      const answer = asks ? (random.next() < HEARS_WELL ? 'well' : 'badly') : undefined
      schedule.after(random.between(...READ_AFTER_MS), () => void read(phone, id, answer))
    }
  })
}

async function read(phone: SimulatedPhone, id: string, answer?: 'well' | 'badly') {
  if (!phone.state.words?.list.some((word) => word.id === id)) return
  await phone.confirmWord(id, answer).catch((error: unknown) => {
    if (!(error instanceof CallFailure)) throw error // else the word just stays unread
  })
}
