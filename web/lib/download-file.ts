import { saveFile } from '../ui/save-file.ts'
import { answerOf, send } from './send.ts'

/** A table of a year takes longer than a call may. */
const LIMIT_MS = 120_000

/** Fetches a file that only the signed-in may have, and hands it to the browser under the name that it came with. */
export async function downloadFile(path: string): Promise<void> {
  const response = await send('GET', path, undefined, { limitMs: LIMIT_MS })
  if (!response.ok) await answerOf(response)
  const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1]
  saveFile(name ?? 'download', await response.blob())
}
