import { isSecondPress, resetPress } from './once.ts'
import { saveFile } from './save-file.ts'
import { answerOf, send } from './send.ts'

/** A table of a whole year takes longer than the timeout of other calls. */
const LIMIT_MS = 120_000

/** Downloads a file that needs the session's token, and saves it under the name that the server gives it. */
export async function downloadFile(path: string): Promise<void> {
  if (isSecondPress(path)) return
  const response = await fetchFile(path).catch((error: unknown) => {
    resetPress()
    throw error
  })
  const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1]
  saveFile(name ?? 'download', await response.blob())
}

async function fetchFile(path: string): Promise<Response> {
  const response = await send('GET', path, undefined, { limitMs: LIMIT_MS })
  if (!response.ok) await answerOf(response)
  return response
}

/** A double click saves it only once. */
export function saveCsv(name: string, text: string) {
  if (isSecondPress(name)) return
  saveFile(name, new Blob([text], { type: 'text/csv;charset=utf-8' }))
}
