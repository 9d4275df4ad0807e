import { parseSmtpUrl, verifySmtp } from '../mail/smtp.ts'
import { note, ok, problem, type RunCheck, warn } from './check.ts'

/** Signs in to the mail server, and sends nothing. */
export const checkMail: RunCheck = async ({ config }) => {
  const { SMTP_URL, MAIL_FROM } = config
  if (!SMTP_URL) return note('Off: SMTP_URL is not set.')
  const { host, auth } = parseSmtpUrl(SMTP_URL)
  const fault = await verifySmtp(config).then(
    () => null,
    (error: Error) => error.message,
  )
  if (fault !== null)
    return problem(
      `${host}: ${fault}`,
      'Compare SMTP_URL with what the mail server asks for, and let this machine reach it.',
    )
  if (MAIL_FROM.endsWith('@parley.example'))
    return warn(`Mails come from ${MAIL_FROM}, which is only an example.`, 'Set MAIL_FROM to an address of yours.')
  return ok(auth ? `${host} accepts the user and the password.` : `${host} answers.`)
}
