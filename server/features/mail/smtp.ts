import { domainToASCII } from 'node:url'
import type { NodemailerError } from 'nodemailer'
import { cutToVisible } from '../../../shared/visible.ts'
import type { Config } from '../../config.ts'
import { isLoopback } from '../../lib/loopback.ts'
import type { WrittenMail } from './write-mail.ts'

/** The longest that a step of SMTP may take, such as the connection or an answer. */
const STEP_MS = 10_000
/** The same for the doctor, who waits 5 s for all steps. */
const CHECKED_STEP_MS = 3_000
/** Local parts of any alphabet, at a name that can be asked for. */
const ADDRESS =
  /^[^\s@<>(),;:"\\[\]\p{Cc}]{1,64}@[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/iu
/** The commands that speak of one mail: a refusal of another one concerns all mails. */
const COMMANDS_OF_A_MAIL = ['MAIL FROM', 'RCPT TO', 'DATA']
const ANSWER_LENGTH = 200

interface OutgoingMail extends WrittenMail {
  to: string
  /** Stays the same for each attempt, so that a repeat can be recognised. */
  messageId: string
}

/** A mail that was not sent. The message is fit for masters: an answer of the mail server, or a code. */
export class MailError extends Error {
  /** It will never be accepted. */
  readonly isFinal: boolean
  /** The mail server was not reached, or refused whatever comes: other mails would fail too. */
  readonly isOfServer: boolean

  constructor(
    message: string,
    { isFinal, isOfServer, cause }: { isFinal: boolean; isOfServer: boolean; cause?: unknown },
  ) {
    super(message, { cause })
    this.isFinal = isFinal
    this.isOfServer = isOfServer
  }
}

/** Sends one mail over a connection of its own. Returns what the mail server answered; throws MailError. */
export async function sendOverSmtp(config: Config, mail: OutgoingMail, signal: AbortSignal): Promise<string> {
  const to = asciiDomain(mail.to)
  const from = asciiDomain(config.MAIL_FROM)
  if (!ADDRESS.test(to)) throw new MailError('The address is not valid.', { isFinal: true, isOfServer: false })
  const transport = await openTransport(config)
  try {
    const { response } = await transport.sendMail({
      envelope: { from, to: [to] },
      from: { name: 'Parley', address: from },
      to: { name: '', address: to },
      subject: mail.subject,
      text: mail.text,
      html: mail.html,
      messageId: `<${mail.messageId}@${from.split('@')[1]}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
      disableFileAccess: true,
      disableUrlAccess: true,
      signal,
    })
    return inOneLine(response ?? '')
  } catch (error) {
    throw mailError(config, error)
  } finally {
    transport.close()
  }
}

/** Connects, greets and signs in, without a mail. Throws MailError. */
export async function verifySmtp(config: Config): Promise<void> {
  const transport = await openTransport(config, CHECKED_STEP_MS)
  try {
    await transport.verify()
  } catch (error) {
    throw mailError(config, error)
  } finally {
    transport.close()
  }
}

/** Loads the library with the first mail, since most servers send none. */
async function openTransport(config: Config, stepMs = STEP_MS) {
  const { createTransport } = await import('nodemailer')
  return createTransport(smtpOptions(config, stepMs))
}

/** Does not sign in over a connection that others can read. The machine itself needs no certificate. */
function smtpOptions({ SMTP_URL = '', PUBLIC_URL }: Config, stepMs: number) {
  const { host, port, secure, auth } = parseSmtpUrl(SMTP_URL)
  const isHere = isLoopback(host)
  return {
    host,
    port,
    secure,
    ...(auth && { auth, forceAuth: true }),
    requireTLS: auth !== undefined && !isHere,
    tls: { rejectUnauthorized: !isHere },
    name: new URL(PUBLIC_URL).hostname,
    dnsTimeout: stepMs,
    connectionTimeout: stepMs,
    greetingTimeout: stepMs,
    socketTimeout: stepMs,
  }
}

export function parseSmtpUrl(text: string) {
  const { protocol, hostname, port, username, password } = new URL(text)
  const secure = protocol === 'smtps:'
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port || (secure ? 465 : 587)),
    secure,
    ...(username && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
  }
}

function mailError(config: Config, cause: unknown): MailError {
  const error = cause instanceof Error ? cause : new Error(String(cause))
  const { code, command, response, responseCode } = error as Partial<NodemailerError>
  const isOfMail = COMMANDS_OF_A_MAIL.includes(command ?? '') && responseCode !== undefined
  const isUnfit = responseCode === undefined && (code === 'EENVELOPE' || code === 'EMESSAGE')
  const message =
    code === 'EABORT'
      ? 'The mail server did not answer in time.'
      : command === 'STARTTLS' && response
        ? 'The mail server does not speak TLS (STARTTLS).'
        : response || error.message
  return new MailError(withoutPassword(config, inOneLine(message)), {
    isFinal: isUnfit || (isOfMail && responseCode >= 500),
    isOfServer: !isOfMail && !isUnfit,
    cause: error,
  })
}

/** Mail servers write what they like. */
function withoutPassword({ SMTP_URL = '' }: Config, text: string): string {
  const pass = parseSmtpUrl(SMTP_URL).auth?.pass
  if (!pass) return text
  return [pass, Buffer.from(pass).toString('base64')].reduce((rest, secret) => rest.replaceAll(secret, '…'), text)
}

const inOneLine = (text: string) => cutToVisible(text, ANSWER_LENGTH)

/** Writes the name of an address as it is asked for. */
function asciiDomain(address: string): string {
  const at = address.lastIndexOf('@')
  return `${address.slice(0, at)}@${domainToASCII(address.slice(at + 1))}`
}
