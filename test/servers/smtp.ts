import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterAll, beforeEach } from 'vitest'

export interface ReceivedMail {
  from: string
  to: string[]
  isEncrypted: boolean
  user: string | null
  headers: Map<string, string>
  text: string
  html: string
  raw: string
}

type Refusal = { code: number; message: string } | null

export interface TestSmtp {
  url: string
  port: number
  /** Empty at the start of each test. */
  mails: ReceivedMail[]
  /** Sign-ins, right or wrong. */
  signIns: number
  /** Decides on each recipient, until the test ends. */
  refuse: (address: string) => Refusal
  /** Runs before a mail is accepted, until the test ends. */
  beforeAccepting: (mail: ReceivedMail) => Promise<void> | void
}

const USER = 'parley'
export const SMTP_PASSWORD = 'kettle:7/@green'

/** Starts a mail server of its own for a file's tests. It asks for a sign-in, unless the options say otherwise. */
export async function startSmtp(options: SMTPServerOptions = {}): Promise<TestSmtp> {
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    closeTimeout: 1,
    logger: false,
    onAuth({ username, password }, _session, done) {
      smtp.signIns++
      if (username === USER && password === SMTP_PASSWORD) done(null, { user: username })
      else done(Object.assign(new Error('The password is wrong'), { responseCode: 535 }))
    },
    onRcptTo({ address }, _session, done) {
      const refusal = smtp.refuse(address)
      done(refusal && Object.assign(new Error(refusal.message), { responseCode: refusal.code }))
    },
    onData(stream, { envelope, secure, user }, done) {
      const receive = async () => {
        const raw = await text(stream)
        const mail = {
          ...parse(raw),
          from: envelope.mailFrom ? envelope.mailFrom.address : '',
          to: envelope.rcptTo.map(({ address }) => address),
          isEncrypted: secure,
          user: user ?? null,
          raw,
        }
        await smtp.beforeAccepting(mail)
        smtp.mails.push(mail)
      }
      receive().then(
        () => done(null),
        (error: Error) => done(error),
      )
    },
    ...options,
  })
  server.on('error', () => {}) // connections that the tests cut
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  const smtp: TestSmtp = {
    url: `smtp://${USER}:${encodeURIComponent(SMTP_PASSWORD)}@127.0.0.1:${port}`,
    port,
    mails: [],
    signIns: 0,
    refuse: () => null,
    beforeAccepting() {},
  }
  const { refuse, beforeAccepting } = smtp
  beforeEach(() => void Object.assign(smtp, { mails: [], signIns: 0, refuse, beforeAccepting }))
  afterAll(() => new Promise<void>((resolve) => server.close(resolve)))
  return smtp
}

/** Reads a mail of two parts. */
function parse(raw: string): Pick<ReceivedMail, 'headers' | 'text' | 'html'> {
  const [head = '', ...body] = raw.split('\r\n\r\n')
  const headers = headersIn(head)
  const boundary = /boundary="([^"]+)"/.exec(headers.get('content-type') ?? '')?.[1] ?? ''
  const parts = body.join('\r\n\r\n').split(`--${boundary}`)
  const partOf = (type: string) => {
    const part = parts.find((one) => one.includes(`Content-Type: ${type}`)) ?? ''
    const end = part.indexOf('\r\n\r\n')
    return decode(part.slice(end + 4), headersIn(part.slice(0, end)).get('content-transfer-encoding'))
  }
  return { headers, text: partOf('text/plain'), html: partOf('text/html') }
}

function headersIn(head: string): Map<string, string> {
  const lines = head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n')
  return new Map(
    lines.flatMap((line) => {
      const [, name = '', value = ''] = /^([\w-]+): (.*)$/.exec(line) ?? []
      return name ? [[name.toLowerCase(), value] as const] : []
    }),
  )
}

function decode(body: string, encoding: string | undefined): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8')
  if (encoding !== 'quoted-printable') return body.replaceAll('\r\n', '\n')
  const bytes = body
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_match, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8').replaceAll('\r\n', '\n')
}
