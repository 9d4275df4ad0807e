/**
 * Fetches a recording's file and reports the progress: from 0 to 1, or null if the size is unknown. The address is
 * signed and the file may be large, so the request has no token and no timeout.
 */
export async function fetchMedia(
  url: string,
  signal: AbortSignal,
  onProgress: (share: number | null) => void,
): Promise<Blob> {
  const response = await fetch(url, { signal, credentials: 'omit' })
  if (!response.ok || !response.body) throw new Error(`The file was refused with ${response.status}`)
  const size = Number(response.headers.get('content-length')) || null
  const parts: Uint8Array<ArrayBuffer>[] = []
  let received = 0
  for await (const part of response.body) {
    parts.push(part)
    received += part.length
    onProgress(size === null ? null : Math.min(1, received / size))
  }
  if (size !== null && received < size) throw new Error('The file broke off')
  return new Blob(parts, { type: response.headers.get('content-type') ?? '' })
}
