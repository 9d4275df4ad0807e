import { once } from 'node:events'
import { type ClientHttp2Session, connect, type OutgoingHttpHeaders } from 'node:http2'
import { text } from 'node:stream/consumers'
import { connect as connectTls } from 'node:tls'
import { type OpenStream, readStream } from './stream.ts'

/** A browser's or a phone's only connection to a proxy, with TLS and HTTP/2. */
export class Http2Client {
  readonly #session: ClientHttp2Session
  readonly #site: string

  private constructor(session: ClientHttp2Session, site: string) {
    this.#session = session
    this.#site = site
  }

  /** `from` is the visitor's own loopback address. Rejects if the proxy refuses the name. */
  static async connect(
    { port, certificate }: { port: number; certificate: Buffer },
    site: string,
    from = '127.0.0.1',
  ): Promise<Http2Client> {
    const socket = connectTls({
      ...{ host: '127.0.0.1', port, localAddress: from },
      ...{ servername: site, ca: certificate, ALPNProtocols: ['h2'] },
    })
    await once(socket, 'secureConnect')
    if (socket.alpnProtocol !== 'h2') throw new Error('The proxy speaks no HTTP/2')
    return new Http2Client(connect(`https://${site}`, { createConnection: () => socket }), site)
  }

  /** Parses the response if it is JSON. */
  async call(
    method: string,
    path: string,
    { token, body, headers = {} }: { token?: string; body?: unknown; headers?: OutgoingHttpHeaders } = {},
  ) {
    const sent = body === undefined ? undefined : JSON.stringify(body)
    const type = sent === undefined ? {} : { 'content-type': 'application/json' }
    const outgoing = this.#request(method, path, { ...type, ...bearer(token), ...headers })
    outgoing.end(sent)
    const [answer] = await once(outgoing, 'response')
    const received = await text(outgoing)
    const isJson = String(answer['content-type']).includes('json')
    return { status: answer[':status'], headers: answer, body: isJson ? JSON.parse(received) : received }
  }

  async openStream(path: string): Promise<OpenStream> {
    const outgoing = this.#request('GET', path)
    outgoing.end()
    const [answer] = await once(outgoing, 'response')
    if (answer[':status'] !== 200) throw new Error(`The stream answered ${answer[':status']}`)
    return readStream(outgoing, () => outgoing.close())
  }

  close(): void {
    this.#session.destroy()
  }

  #request(method: string, path: string, headers: OutgoingHttpHeaders = {}) {
    return this.#session.request({ ':authority': this.#site, ':method': method, ':path': path, ...headers })
  }
}

const bearer = (token: string | undefined) => (token === undefined ? {} : { authorization: `Bearer ${token}` })
