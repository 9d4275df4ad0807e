import { connect, type Socket } from 'node:net'

export interface Answer {
  status: number
  body: string // empty unless kept
}

/**
 * A keep-alive connection with one request at a time. It reads no more of an answer than it must, so that the load costs
 * less than what it measures: autocannon, which parses each answer, gets half the rate out of the same server, and its
 * ratios would be its own.
 */
export class Connection {
  readonly #socket: Socket
  readonly #keepsBody: boolean
  #missing = 0
  #status = 0
  #body: Buffer[] = []
  #onAnswer: ((answer: Answer) => void) | null = null
  #onError: ((error: Error) => void) | null = null

  constructor(port: number, { keepsBody = false } = {}) {
    this.#keepsBody = keepsBody
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true })
    this.#socket.on('data', (chunk: Buffer) => this.#read(chunk))
    this.#socket.on('error', (error) => this.#onError?.(error))
    this.#socket.on('close', () => this.#onError?.(new Error('The server closed the connection')))
  }

  send(request: string | Buffer): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#onError = reject
      this.sendThen(request, resolve)
    })
  }

  /** As `send`, without the cost of a promise. */
  sendThen(request: string | Buffer, onAnswer: (answer: Answer) => void): void {
    this.#onAnswer = onAnswer
    this.#socket.write(request)
  }

  close(): void {
    this.#onError = null
    this.#socket.destroy()
  }

  #read(chunk: Buffer): void {
    if (this.#missing > 0) this.#missing -= chunk.length
    else chunk = this.#readHead(chunk)
    if (this.#keepsBody) this.#body.push(chunk)
    if (this.#missing > 0) return
    const onAnswer = this.#onAnswer
    const body = this.#keepsBody ? Buffer.concat(this.#body).toString() : ''
    this.#onAnswer = null
    this.#body = []
    onAnswer?.({ status: this.#status, body })
  }

  #readHead(chunk: Buffer): Buffer {
    const end = chunk.indexOf('\r\n\r\n')
    if (end < 0) throw new Error('The head of an answer came in two pieces')
    const head = chunk.toString('latin1', 0, end)
    this.#status = Number(head.slice(9, 12))
    const length = this.#status === 304 ? '0' : /content-length: (\d+)/i.exec(head)?.[1]
    if (length === undefined) throw new Error(`An answer of unknown length: ${head}`)
    const rest = chunk.subarray(end + 4)
    this.#missing = Number(length) - rest.length
    return rest
  }
}

type RequestOptions = { port: number; token?: string; body?: unknown; headers?: Record<string, string> }

/** The text of a request, with the headers that a browser sends along with its poll. */
export function requestText(method: string, path: string, { port, token, body, headers }: RequestOptions): string {
  const content = body === undefined ? '' : JSON.stringify(body)
  const lines = {
    host: `127.0.0.1:${port}`,
    'user-agent':
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36',
    accept: 'application/json',
    ...(token && { authorization: `Bearer ${token}` }),
    ...(body !== undefined && { 'content-type': 'application/json', 'content-length': String(content.length) }),
    ...headers,
  }
  const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${head.join('')}\r\n${content}`
}

export function statusCall(port: number, token = '', body: object = {}): string {
  return requestText('POST', '/api/mobile/status', { port, token, body })
}
