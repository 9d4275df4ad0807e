import { readdir, stat } from 'node:fs/promises'
import { SingleFlight } from './single-flight.ts'

const ANSWER_MS = 3_000

const flights = new SingleFlight<unknown>()

/** The names in a folder of a disk that may hang, such as one of a network. */
export const namesIn = (folder: string) => askDisk(`names in ${folder}`, () => readdir(folder))
export const bytesOf = (path: string) => askDisk(`bytes of ${path}`, async () => (await stat(path)).size)

/**
 * Asks a disk that may hang. A question that hangs keeps one of the few threads of the process, on which passwords are
 * checked too, so whoever asks the same shares it. Rejects with ETIMEDOUT after 3 s.
 */
export async function askDisk<T>(question: string, ask: () => Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    reject(Object.assign(new Error('ETIMEDOUT: the disk does not answer'), { code: 'ETIMEDOUT' }))
  }, ANSWER_MS)
  try {
    return await Promise.race([flights.run(question, ask) as Promise<T>, late])
  } finally {
    clearTimeout(timer)
  }
}
