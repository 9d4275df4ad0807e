import { z } from 'zod'
import { WORD_MAX } from '../../../shared/room-words.ts'
import { useStored } from '../../ui/use-stored.ts'

const READY = {
  room: ['We begin in five minutes', 'Please raise your hand to speak', 'There is a short break now'],
  user: ['Please move to a quieter place', 'Please come closer to the microphone', 'You speak next'],
}
const HEARING = 'Can you hear me?'
/** A dialog shows these at a glance. */
const MOST = 5

const Lines = z.array(z.string().max(WORD_MAX))

/** Lists the lines that this browser sent last, then those that are often needed. */
export function useReadyWords(to: keyof typeof READY) {
  const [used, setUsed] = useStored(`parley.words.${to}`, Lines, [])
  const lines = [...new Set([...used, HEARING, ...READY[to]])].slice(0, MOST)
  const noteUsed = (text: string) => setUsed([text, ...used.filter((line) => line !== text)].slice(0, MOST - 2))
  return { lines, noteUsed }
}
