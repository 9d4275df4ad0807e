import type { IncomingMessage } from 'node:http'
import https from 'node:https'
import type { Config } from '../../config.ts'
import { publicLookup } from '../../lib/public-lookup.ts'
import { ZoomError } from '../../zoom/errors.ts'
import { isMediaHost, isZoomHost } from './media-hosts.ts'

const http = process.getBuiltinModule('node:http')

const MAX_REDIRECTS = 5
const RESPONSE_TIMEOUT_MS = 10_000
/** The longest silence while the reader waits for bytes. */
const STALL_MS = 30_000

interface Options {
  token: string
  range: string | undefined
  signal: AbortSignal
}

/** Follows redirects itself: only to allowed hosts, and without the token once the origin differs. */
export async function openUpstream(config: Config, address: string, options: Options): Promise<IncomingMessage> {
  let url = new URL(address)
  let token: string | undefined = options.token
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    if (!isMediaHost(config, url))
      throw new ZoomError('unavailable', `A recording is on a host that is not allowed: ${url.host}`)
    const answer = await get(
      url,
      {
        accept: '*/*',
        'accept-encoding': 'identity',
        ...(options.range && { range: options.range }),
        ...(token && { authorization: `Bearer ${token}` }),
      },
      options.signal,
    )
    const { statusCode = 0, headers } = answer
    if (statusCode < 300 || statusCode >= 400 || !headers.location) return answer

    answer.destroy()
    const next = URL.parse(headers.location, url)
    if (!next) throw new ZoomError('unavailable', 'A recording redirects to an invalid address')
    if (next.origin !== url.origin) token = undefined
    url = next
  }
  throw new ZoomError('unavailable', 'A recording has too many redirects')
}

function get(url: URL, headers: Record<string, string>, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const { request } = url.protocol === 'https:' ? https : http
    const fail = (cause: unknown) =>
      reject(new ZoomError('unavailable', 'The file host could not be reached', { cause }))
    const sent = request(url, { headers, signal, ...(isZoomHost(url.hostname) && { lookup: publicLookup }) })
    const late = setTimeout(() => sent.destroy(new Error('The file host took too long to answer')), RESPONSE_TIMEOUT_MS)
    sent.on('error', fail)
    sent.on('response', (answer) => {
      clearTimeout(late)
      // A slow reader pauses the response, which is no stall at Zoom.
      sent.setTimeout(STALL_MS, () => {
        if (!answer.isPaused()) answer.destroy(new Error('Zoom stopped sending'))
      })
      resolve(answer)
    })
    sent.on('close', () => clearTimeout(late))
    sent.end()
  })
}
