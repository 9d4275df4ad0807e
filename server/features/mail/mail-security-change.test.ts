import { beforeEach, expect, test } from 'vitest'
import {
  buildAssistant,
  buildHost,
  buildMaster,
  call,
  PASSWORD,
  type SignedIn,
  type TestHost,
} from '../../../test/factories/accounts.ts'
import { addTotp } from '../../../test/factories/second-factor.ts'
import { setup } from '../../../test/servers/setup.ts'
import { mailAad } from './mail-queue.ts'

/** Mails are queued; there is no mail server to take them. */
const server = await setup({ config: { SMTP_URL: 'smtp://127.0.0.1:1' } })
let host: TestHost
let master: SignedIn & { id: string; email: string }
beforeEach(async () => {
  host = await buildHost(server)
  master = await buildMaster(server)
})

async function mails() {
  const rows = await server.deps.db.selectFrom('mails').selectAll().orderBy('created_at').execute()
  return rows.map(({ id, address, content_ciphertext }) => {
    const { kind, change, account, site, ip } = JSON.parse(
      server.deps.secrets.decrypt(content_ciphertext ?? '', mailAad(id)),
    )
    return { address, kind, change, account, site, ip }
  })
}
const toHost = (change: string, ip: string | null = '127.0.0.1') => ({
  ...{ address: host.email, kind: 'security_changed', change, account: host.username, site: 'host', ip },
})
const change = (as: SignedIn, current_password = PASSWORD) =>
  call(server, 'POST', '/account/password', { as, body: { current_password, new_password: 'seven green kettles' } })

test('a changed password is written of to its owner', async () => {
  expect((await change(host, 'not the password')).status).toBe(400)
  expect(await mails()).toEqual([])
  expect((await change(host)).status).toBe(200)
  expect(await mails()).toEqual([toHost('password_changed')])
  await change(master)
  expect((await mails()).slice(1)).toEqual([
    {
      ...{ address: master.email, kind: 'security_changed', change: 'password_changed', account: master.email },
      ...{ site: 'master', ip: '127.0.0.1' },
    },
  ])
})

test('a password that a master sets is written of, without the address of the master', async () => {
  const put = (body: object) => call(server, 'PUT', `/admin/hosts/${host.id}`, { as: master, body })
  expect((await put({ full_name: 'Choir', mobile: '1' })).status).toBe(200)
  expect(await mails()).toEqual([])
  expect((await put({ password: 'nine blue kettles' })).status).toBe(200)
  expect(await mails()).toEqual([toHost('password_set', null)])
})

test('an app that is added and removed, and new recovery codes, are written of', async () => {
  await addTotp(server, host)
  const before = (await mails()).map((mail) => mail.change)
  expect((await call(server, 'POST', '/account/recovery-codes', { as: host })).status).toBe(200)
  expect((await call(server, 'DELETE', '/account/totp', { as: host })).status).toBe(200)
  expect((await mails()).slice(before.length)).toEqual([toHost('recovery_codes_made'), toHost('totp_removed')])
})

test('a password that a link sets, and the factor that it removes, are written of', async () => {
  await addTotp(server, host)
  await server.deps.db.deleteFrom('mails').execute()
  const body = { remove_second_factor: true }
  const made = await call(server, 'POST', `/admin/hosts/${host.id}/reset-link`, { as: master, body })
  const token = made.body.data.url.split('#')[1]
  await call(server, 'POST', '/auth/links/use', { body: { token, password: 'seven green kettles' } })
  expect(await mails()).toEqual([toHost('password_reset'), toHost('second_factor_reset')])
})

test('assistants have no address', async () => {
  expect((await change(await buildAssistant(server, host, 'manager'))).status).toBe(200)
  expect(await mails()).toEqual([])
})
