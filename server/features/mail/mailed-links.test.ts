import { beforeEach, describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../../shared/dates.ts'
import { buildHost, buildMaster, call, type SignedIn, type TestHost } from '../../../test/factories/accounts.ts'
import { setup } from '../../../test/servers/setup.ts'
import { startSmtp } from '../../../test/servers/smtp.ts'
import { sendMails } from './send-mails.ts'

let now = Date.parse('2026-11-28T10:00:00Z')
const smtp = await startSmtp()
const server = await setup({ now: () => now, config: { SMTP_URL: smtp.url, MAIL_FROM: 'parley@choir.example' } })
let master: SignedIn & { id: string; email: string }
let host: TestHost
beforeEach(async () => {
  now += 10 * DAY_MS
  master = await buildMaster(server)
  host = await buildHost(server)
  await deliver()
  smtp.mails.length = 0
})

async function deliver() {
  server.deps.jobs.wake(sendMails)
  await server.deps.jobs.idle(sendMails)
}
const reset = (body: object, id = host.id) =>
  call(server, 'POST', `/admin/hosts/${id}/reset-link`, { as: master, body })
const invite = (body: object) => call(server, 'POST', '/admin/masters/invitations', { as: master, body })
const mails = () => server.deps.db.selectFrom('mails').selectAll().execute()
/** Sends all that waits, and returns the addresses to which a link went. */
async function deliverHeld() {
  now += HOUR_MS
  await deliver()
  return smtp.mails.filter(({ text }) => text.includes('/link#')).flatMap(({ to }) => to)
}
const look = (url: string) => call(server, 'POST', '/auth/links/look', { body: { token: url.split('#')[1] } })
/** Lets no mail go out before the end of the test's preparations. */
const holdBack = () =>
  server.deps.db
    .updateTable('mails')
    .set({ next_attempt_at: new Date(now + HOUR_MS) })
    .execute()

describe('a reset link', () => {
  test('is mailed to the host where the master asks for it, and works', async () => {
    const made = await reset({ send_mail: true, remove_second_factor: true })
    expect(made).toMatchObject({ status: 200, body: { data: { mailed: true } } })
    await deliver()
    expect(smtp.mails).toMatchObject([{ from: 'parley@choir.example', to: [host.email] }])
    const [mail] = smtp.mails
    const url = /http\S+\/link#\S+/.exec(mail?.text ?? '')?.[0] ?? ''
    expect(url).toBe(made.body.data.url)
    expect(mail?.text).toContain(`your account ${host.username}.`)
    expect(mail?.text).toContain('It also removes your second factor.')
    expect((await look(url)).body.data).toMatchObject({ purpose: 'host_reset', account: host.username })
  })

  test('is not mailed otherwise', async () => {
    expect(await reset({})).toMatchObject({ status: 200, body: { data: { mailed: false } } })
    expect(await mails()).toEqual([])
  })

  test('that a newer one replaces is mailed no more', async () => {
    await reset({ send_mail: true })
    await holdBack()
    await reset({})
    expect(await deliverHeld()).toEqual([])
    expect(await mails()).toMatchObject([{ content_ciphertext: null, failure: null }])
  })

  test('that is used, or void with its host, is mailed no more', async () => {
    const made = await reset({ send_mail: true })
    await holdBack()
    const body = { token: made.body.data.url.split('#')[1], password: 'seven green kettles' }
    expect((await call(server, 'POST', '/auth/links/use', { body })).status).toBe(200)
    expect(await deliverHeld()).toEqual([])
    master = await buildMaster(server) // the other's confirmation has run out
    await reset({ send_mail: true })
    await holdBack()
    expect((await call(server, 'DELETE', `/admin/hosts/${host.id}`, { as: master })).status).toBe(200)
    expect(await deliverHeld()).toEqual([])
  })

  test('that has run out is mailed no more', async () => {
    await reset({ send_mail: true })
    await holdBack()
    now += DAY_MS
    expect(await deliverHeld()).toEqual([])
    expect(await mails()).toMatchObject([{ content_ciphertext: null, failure: null }])
  })

  test('of another kind of caller is none', async () => {
    const as = host
    expect(
      (await call(server, 'POST', `/admin/hosts/${host.id}/reset-link`, { as, body: { send_mail: true } })).status,
    ).toBe(403)
    expect((await reset({ send_mail: true }, '00000000-0000-4000-8000-000000000000')).status).toBe(404)
    expect(await mails()).toEqual([])
  })

  test('is made, and not mailed, once the host has got ten in a day', async () => {
    const made = []
    for (let count = 0; count < 11; count++) {
      made.push((await reset({ send_mail: true })).body.data.mailed)
      if (count % 2 === 0) await deliver() // those in between are replaced before they are sent
    }
    expect(made).toEqual([...Array(10).fill(true), false])
  })
})

test('an invitation is mailed to whom it is for, by the name of the master who made it', async () => {
  const email = 'ana@choir.example'
  const made = await invite({ email, full_name: 'Ana Lima', send_mail: true })
  expect(made.body.data).toMatchObject({ mailed: true, invitation: { email } })
  await deliver()
  expect(smtp.mails).toMatchObject([{ to: [email] }])
  expect(smtp.mails[0]?.text).toContain(`Hello Ana Lima,\n\n${master.email} invites you`)
  expect(smtp.mails[0]?.text).toContain(made.body.data.url)
  const audited = await server.deps.db
    .selectFrom('audit')
    .select('after')
    .where('action', '=', 'master_invited')
    .execute()
  expect(audited).toMatchObject([{ after: { email, mailed: true } }])
})

test('a cancelled invitation, and one of a master who was removed, are mailed no more', async () => {
  const { body } = await invite({ email: 'ana@choir.example', send_mail: true })
  await holdBack()
  await call(server, 'DELETE', `/admin/masters/invitations/${body.data.invitation.id}`, { as: master })
  expect(await deliverHeld()).toEqual([])
  await invite({ email: 'ana@choir.example', send_mail: true })
  await holdBack()
  const other = await buildMaster(server)
  await call(server, 'DELETE', `/admin/masters/${master.id}`, { as: other })
  expect(await deliverHeld()).toEqual([])
})

test('a call that is repeated with its key mails once', async () => {
  const headers = { 'idempotency-key': 'the same' }
  const send = () =>
    call(server, 'POST', '/admin/masters/invitations', {
      as: master,
      body: { email: 'ana@choir.example', send_mail: true },
      headers,
    })
  expect((await Promise.all([send(), send()])).map(({ status }) => status).sort()).toEqual([200, 409])
  await deliver()
  expect(smtp.mails).toHaveLength(1)
})

test('a mail server that hangs holds up no call', async () => {
  const accepting = Promise.withResolvers<void>()
  const arrived = Promise.withResolvers<void>()
  smtp.beforeAccepting = () => {
    arrived.resolve()
    return accepting.promise
  }
  expect((await reset({ send_mail: true })).body.data.mailed).toBe(true)
  server.deps.jobs.wake(sendMails)
  await arrived.promise
  expect((await invite({ email: 'ana@choir.example', send_mail: true })).body.data.mailed).toBe(true)
  expect((await reset({})).status).toBe(200) // replaces the link whose mail is on its way
  expect(smtp.mails).toEqual([])
  accepting.resolve()
  await server.deps.jobs.idle(sendMails)
  expect(smtp.mails).toHaveLength(2)
})
