import { once } from 'node:events'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'

const LARGEST_BYTES = 512 * 1024

interface Question {
  signal: AbortSignal
  /** Sent as a POST. */
  body?: string
  headers?: Record<string, string>
}

/** Resolves names that end in localhost to this machine, as browsers do. */
const loopback: LookupFunction = (_hostname, { all }, done) =>
  all ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4)

/** Returns the options of a connection to a site under its name. */
export function connectionTo({ hostname }: URL) {
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  return { ...(isLocal && { lookup: loopback }), ...(!isIP(hostname) && { servername: hostname }) }
}

/** Asks a site of this installation. The certificate has a check of its own. */
export async function ask(url: URL, { signal, body, headers }: Question): Promise<{ status: number; text: string }> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp
  const method = body === undefined ? 'GET' : 'POST'
  const sent = request(url, { ...connectionTo(url), method, headers, signal, agent: false, rejectUnauthorized: false })
  sent.end(body)
  const [response]: IncomingMessage[] = await once(sent, 'response', { signal })
  if (!response) throw new Error('There was no response')
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response) {
    size += chunk.length
    if (size > LARGEST_BYTES) break
    chunks.push(chunk)
  }
  return { status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }
}
