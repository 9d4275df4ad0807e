import { beforeEach, describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../../shared/dates.ts'
import { buildHost, buildMaster, type TestHost } from '../../../test/factories/accounts.ts'
import { setup } from '../../../test/servers/setup.ts'
import { backupCommand } from '../backup/command.ts'
import { mailDaily, mailSoon } from './find-occasions.ts'
import { mailAad } from './mail-queue.ts'

let now = Date.parse('2026-11-28T10:00:00Z')
const server = await setup({ now: () => now })
let host: TestHost
beforeEach(async () => {
  now += 100 * DAY_MS
  host = await buildHost(server)
})

/** Mail is off at the server itself, whose jobs would look too. */
const deps = (SMTP_URL: string | undefined = 'smtp://127.0.0.1:1') => ({
  ...server.deps,
  config: { ...server.deps.config, SMTP_URL },
})
/** Looks as three nodes do. Returns the mails that are queued, and takes them away. */
async function look() {
  for (const job of [mailDaily, mailSoon]) await Promise.all([job.run(deps()), job.run(deps()), job.run(deps())])
  const rows = await server.deps.db.selectFrom('mails').selectAll().where('ended_at', 'is', null).execute()
  const ended_at = new Date(now)
  await server.deps.db
    .updateTable('mails')
    .set({ ended_at, content_ciphertext: null })
    .where('ended_at', 'is', null)
    .execute()
  return rows
    .map(({ id, kind, address, content_ciphertext }) => ({
      kind,
      address,
      ...JSON.parse(server.deps.secrets.decrypt(content_ciphertext ?? '', mailAad(id))),
    }))
    .toSorted((a, b) => a.address.localeCompare(b.address))
}
const setHost = (set: object) => server.deps.db.updateTable('hosts').set(set).where('id', '=', host.id).execute()

describe('the end of a subscription', () => {
  test('is written of seven days before, once for each end date', async () => {
    const ends = now + 20 * DAY_MS
    await setHost({ subscription_end_date: new Date(ends) })
    now = ends - 7 * DAY_MS - 1
    expect(await look()).toEqual([])
    now += 1
    const mail = { kind: 'subscription_ends', address: host.email, username: host.username }
    expect(await look()).toEqual([{ ...mail, ends_at: new Date(ends).toISOString() }])
    now += 6 * DAY_MS
    expect(await look()).toEqual([])
    const later = new Date(now + 3 * DAY_MS + 5)
    await setHost({ subscription_end_date: later })
    expect(await look()).toEqual([{ ...mail, ends_at: later.toISOString() }])
    expect(await look()).toEqual([])
  })

  test.each([
    ['has passed', { subscription_end_date: new Date(0) }],
    ['was cancelled', { subscription_cancelled_at: new Date(0) }],
    ['is of a deleted host', { deleted_at: new Date(0) }],
  ])('that %s is not', async (_name, set) => {
    await setHost({ subscription_end_date: new Date(now + DAY_MS), ...set })
    expect(await look()).toEqual([])
  })

  test('is not while mail is off', async () => {
    await setHost({ subscription_end_date: new Date(now + DAY_MS) })
    const off = { ...deps(), config: { ...server.deps.config, SMTP_URL: undefined } }
    expect(await mailDaily.run(off)).toBe(0)
    expect(await look()).toHaveLength(1)
  })

  test('that found no room in the queue is written of later', async () => {
    await setHost({ subscription_end_date: new Date(now + DAY_MS) })
    const at = new Date(now)
    const row = { kind: 'subscription_ends', address: host.email, created_at: at, next_attempt_at: at, ended_at: at }
    await server.deps.db.insertInto('mails').values([row, row, row]).execute()
    expect(await look()).toEqual([])
    await server.deps.db.deleteFrom('mails').execute()
    expect(await look()).toHaveLength(1)
  })
})

const connect = (connected_at = new Date(now)) => ({
  host_id: host.id,
  zoom_user_id: 'u',
  zoom_account_id: 'a',
  email: 'choir@zoom.example',
  access_token_ciphertext: '',
  refresh_token_ciphertext: '',
  access_expires_at: new Date(now),
  warnings: '[]',
  connected_at,
})

test('a lost connection to Zoom is written of once, and again when the next one is lost', async () => {
  const links = server.deps.db.updateTable('zoom_links')
  await server.deps.db.insertInto('zoom_links').values(connect()).execute()
  expect(await look()).toEqual([])
  await links.set({ reconnect_needed: true }).execute()
  const mail = {
    kind: 'zoom_reconnect',
    address: host.email,
    username: host.username,
    zoom_email: 'choir@zoom.example',
  }
  expect(await look()).toEqual([mail])
  now += 3 * DAY_MS
  expect(await look()).toEqual([])
  await links.set({ connected_at: new Date(now) }).execute()
  expect(await look()).toEqual([mail])
})

test('a full archive is written of once, and again when it is full again', async () => {
  const { db } = server.deps
  await db.insertInto('zoom_links').values(connect()).execute()
  const { id: room_id } = await db
    .selectFrom('rooms')
    .select('id')
    .where('host_id', '=', host.id)
    .executeTakeFirstOrThrow()
  const recording = {
    room_id,
    meeting_id: '1',
    meeting_uuid: 'uuid',
    zoom_file_id: 'file',
    topic: 'Evening',
    status: 'completed',
  }
  await db
    .insertInto('recordings')
    .values({
      ...recording,
      file_type: 'M4A',
      file_size: 100,
      started_at: new Date(now),
      zoom_user_id: 'u',
      zoom_account_id: 'a',
    })
    .execute()
  expect(await look()).toEqual([])
  const full = { storage_limit_gb: 1, storage_used_bytes: 1024 ** 3, recording_enabled: true }
  await setHost(full)
  const mail = { kind: 'archive_full', address: host.email, username: host.username, waiting: 1, limit_gb: 1 }
  expect(await look()).toEqual([mail])
  expect(await look()).toEqual([])
  await setHost({ storage_used_bytes: 0 })
  expect(await look()).toEqual([])
  await setHost(full)
  expect(await look()).toEqual([mail])
})

test('a failed backup is written of to all masters, once a day while none succeeds', async () => {
  await server.deps.db
    .deleteFrom('masters')
    .where('id', 'not in', (eb) => eb.selectFrom('sessions').select('master_id').where('master_id', 'is not', null))
    .execute()
  const master = await buildMaster(server)
  const masters = await server.deps.db.selectFrom('masters').select('email').orderBy('email').execute()
  const fail = () => backupCommand(server.deps, { action: 'record_failed', reason: 'the disk is full' })
  await fail()
  const at = new Date(now).toISOString()
  const mails = masters.map(({ email }) => ({ kind: 'backup_failed', address: email, reason: 'the disk is full', at }))
  expect(mails.map(({ address }) => address)).toContain(master.email)
  expect(await look()).toEqual(mails)
  now += 12 * HOUR_MS
  await fail()
  expect(await look()).toEqual([])
  now += 12 * HOUR_MS + 1
  await fail()
  expect(await look()).toHaveLength(mails.length)
  now += 2 * DAY_MS
  await fail()
  await backupCommand(server.deps, { action: 'record_made', after: { rows: 1 } })
  expect(await look()).toEqual([])
})
