import { randomUUID } from 'node:crypto'
import type { TestMail } from '../../../shared/system.ts'
import type { MasterActor } from '../../db/actor.ts'
import { audit } from '../../db/audit-log.ts'
import { requireOpenSession } from '../../db/open-session.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { findMaster } from '../auth/masters.ts'
import { MailError, sendOverSmtp } from '../mail/smtp.ts'
import { writeMail } from '../mail/write-mail.ts'

/** Less than a console waits for its answer. */
const TEST_MS = 12_000

/** Sends one mail to the master who asks, past the queue. Returns what the mail server said. */
export async function sendTestMail(deps: Deps, by: MasterActor): Promise<TestMail> {
  await requireOpenSession(deps.db, by.session_id)
  if (!deps.config.SMTP_URL) throw new AppError('conflict', 'Mail is off')
  const { email } = await findMaster(deps, by.id)
  const mail = { ...writeMail(deps.config, { kind: 'test', account: email }), to: email, messageId: randomUUID() }
  const sent = await sendOverSmtp(deps.config, mail, AbortSignal.timeout(TEST_MS)).then(
    (answer) => ({ accepted: true, answer }),
    (error: unknown) => {
      if (!(error instanceof MailError)) throw error
      return { accepted: false, answer: error.message }
    },
  )
  deps.metrics.countMail('test', sent.accepted ? 'sent' : 'dropped')
  await deps.db
    .transaction()
    .execute((tx) =>
      audit(deps, tx, by, { action: 'mail_test_sent', target: by.id, after: { accepted: sent.accepted } }),
    )
  return sent
}
