import { createInterface } from 'node:readline/promises'
import type { Readable, Writable } from 'node:stream'

/** Asks whoever sits at the terminal, where no answer is a no; null where nobody does. */
export function askAt(
  input: Readable & { isTTY?: boolean },
  output: Writable,
): ((question: string) => Promise<boolean>) | null {
  if (!input.isTTY) return null
  return async (question) => {
    const terminal = createInterface({ input, output })
    const ended = new Promise<string>((resolve) => terminal.once('close', () => resolve('')))
    terminal.once('SIGINT', () => terminal.close())
    const answer = await Promise.race([terminal.question(question).catch(() => ''), ended])
    terminal.close()
    return /^y(es)?$/i.test(answer.trim())
  }
}
