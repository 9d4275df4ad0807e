import { beforeEach, describe, expect, test } from 'vitest'
import { buildHost, buildMaster, call, type SignedIn } from '../../../test/factories/accounts.ts'
import { setup } from '../../../test/servers/setup.ts'
import { startSmtp } from '../../../test/servers/smtp.ts'
import { reportSystem } from './system-report.ts'

const smtp = await startSmtp()
const server = await setup({ config: { SMTP_URL: smtp.url, MAIL_FROM: 'parley@choir.example' } })
let master: SignedIn & { id: string; email: string }
beforeEach(async () => {
  master = await buildMaster(server)
  Object.assign(server.deps.config, { SMTP_URL: smtp.url })
})

const send = (as: SignedIn = master, headers = {}) => call(server, 'POST', '/admin/system/test-mail', { as, headers })
const audited = async () =>
  (await server.deps.db.selectFrom('audit').selectAll().where('action', '=', 'mail_test_sent').execute()).map(
    ({ actor_id, after }) => ({ actor_id, after }),
  )
const mail = async (config: object = {}) =>
  (await reportSystem({ ...server.deps, config: { ...server.deps.config, ...config } }, { checks: [], checkedAt: 0 }))
    .mail

describe('POST /api/admin/system/test-mail', () => {
  test('sends one mail to the master, and says what the mail server answered', async () => {
    expect(await send()).toMatchObject({
      status: 200,
      body: { data: { accepted: true, answer: expect.stringMatching(/^250 /) } },
    })
    expect(smtp.mails).toMatchObject([{ to: [master.email] }])
    expect(smtp.mails[0]?.text).toContain(`${master.email} sent this mail from the page System`)
    expect(await audited()).toEqual([{ actor_id: master.id, after: { accepted: true } }])
  })

  test('says why it was refused', async () => {
    smtp.refuse = () => ({ code: 550, message: 'No such mailbox' })
    expect((await send()).body.data).toEqual({ accepted: false, answer: '550 No such mailbox' })
    expect(await audited()).toEqual([{ actor_id: master.id, after: { accepted: false } }])
  })

  test('is refused while mail is off', async () => {
    delete server.deps.config.SMTP_URL
    expect(await send()).toMatchObject({ status: 409, body: { code: 'conflict', message: 'Mail is off' } })
    expect(await audited()).toEqual([])
  })

  test('is for masters', async () => {
    expect((await send(await buildHost(server))).status).toBe(403)
    expect(smtp.mails).toEqual([])
  })

  test('mails once for a repeated call, and six times a minute', async () => {
    const headers = { 'idempotency-key': 'the same' }
    const answers = await Promise.all([send(master, headers), send(master, headers)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(smtp.mails).toHaveLength(1)
    const more = []
    for (let count = 0; count < 5; count++) more.push((await send()).status)
    expect(more).toEqual([200, 200, 200, 200, 429])
  })
})

test('the report says how many mails wait, and what went wrong last', async () => {
  const at = new Date()
  const row = {
    kind: 'test',
    address: 'a@choir.example',
    created_at: at,
    next_attempt_at: new Date(at.getTime() + 60_000),
  }
  const { db } = server.deps
  expect(await mail({ SMTP_URL: undefined })).toEqual({ is_on: false, waiting: 0, last_error: null })
  await db
    .insertInto('mails')
    .values([
      { ...row, content_ciphertext: 'x', failure: '451 Greylisted', failed_at: at },
      { ...row, ended_at: at, failed_at: null },
    ])
    .execute()
  expect(await mail()).toEqual({ is_on: true, waiting: 1, last_error: '451 Greylisted' })
  await db
    .insertInto('mails')
    .values({ ...row, ended_at: new Date(at.getTime() + 1) })
    .execute()
  expect(await mail()).toEqual({ is_on: true, waiting: 1, last_error: null })
})
