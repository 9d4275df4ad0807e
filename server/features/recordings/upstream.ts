import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import type { Config } from '../../config.ts'
import { publicLookup } from '../../lib/public-lookup.ts'
import { ZoomError } from '../../zoom/errors.ts'
import { isMediaHost, isZooms } from './media-hosts.ts'

const HOPS = 5
/** Until Zoom begins to answer. */
const PATIENCE_MS = 10_000
/** Without a byte, while the reader waits for one. */
const STALL_MS = 30_000

interface Asked {
  token: string
  range: string | undefined
  signal: AbortSignal
}

/**
 * Opens a file at Zoom. Redirects are followed by hand: to allowed hosts only, and without the token once the host is
 * another, since the file host takes none and must learn none.
 */
export async function openUpstream(config: Config, address: string, asked: Asked): Promise<IncomingMessage> {
  let url = new URL(address)
  let token: string | undefined = asked.token
  for (let hop = 0; hop <= HOPS; hop++) {
    if (!isMediaHost(config, url)) throw new ZoomError('unavailable', `A recording lies at a foreign host: ${url.host}`)
    const answer = await get(
      url,
      {
        accept: '*/*',
        'accept-encoding': 'identity',
        ...(asked.range && { range: asked.range }),
        ...(token && { authorization: `Bearer ${token}` }),
      },
      asked.signal,
    )
    const { statusCode = 0, headers } = answer
    if (statusCode < 300 || statusCode >= 400 || !headers.location) return answer

    answer.destroy()
    const next = URL.parse(headers.location, url)
    if (!next) throw new ZoomError('unavailable', 'A recording redirects to no address')
    if (next.origin !== url.origin) token = undefined
    url = next
  }
  throw new ZoomError('unavailable', 'A recording redirects without end')
}

function get(url: URL, headers: Record<string, string>, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const { request } = url.protocol === 'https:' ? https : http
    const fail = (cause: unknown) =>
      reject(new ZoomError('unavailable', 'The file host could not be reached', { cause }))
    const sent = request(url, { headers, signal, ...(isZooms(url.hostname) && { lookup: publicLookup }) })
    const late = setTimeout(() => sent.destroy(new Error('No answer in time')), PATIENCE_MS)
    sent.on('error', fail)
    sent.on('response', (answer) => {
      clearTimeout(late)
      // A slow reader pauses it, which is no stall of Zoom's.
      sent.setTimeout(STALL_MS, () => {
        if (!answer.isPaused()) answer.destroy(new Error('Zoom stopped sending'))
      })
      resolve(answer)
    })
    sent.on('close', () => clearTimeout(late))
    sent.end()
  })
}
