import { sql } from 'kysely'
import { expect, test } from 'vitest'
import {
  buildHost,
  buildMaster,
  buildPhone,
  buildRoomUser,
  call,
  readAudit,
  type TestHost,
} from '../factories/accounts.ts'
import { setupNodes, type TestNode } from './setup.ts'

const PAGES = ['users', 'online-users', 'dashboard', 'profile', 'details', 'app-info', 'attendance']

const { a, b } = await setupNodes()

async function actAsHost(node: TestNode, host: TestHost): Promise<void> {
  const user = await buildRoomUser(node, host)
  const phone = await buildPhone(node, host, user)
  for (const action of ['mute', 'unmute', 'deactivate', 'activate', 'switch'])
    expect((await call(node, 'POST', `/host/users/${user.id}/${action}`, { as: host })).status).toBe(200)
  expect((await call(node, 'POST', '/mobile/status', { as: phone })).status).toBe(401) // another phone may sign in
  expect((await call(node, 'POST', '/host/trigger-bulk-mute/mute', { as: host })).status).toBe(200)
  for (const page of PAGES) expect((await call(node, 'GET', `/host/${page}`, { as: host })).status, page).toBe(200)
  const { entries } = await readAudit(node, await buildMaster(node), `host_id=${host.id}`)
  expect(entries.length).toBeGreaterThan(5)
  expect((await call(node, 'POST', `/host/users/${user.id}/delete`, { as: host })).status).toBe(200)
}

test('servers go on after a later release has added columns to every table', async () => {
  const host = await buildHost(a)
  const busy = await buildHost(a) // each host has a limit per second
  for (const node of [a, b]) await actAsHost(node, busy)
  await sql`do $$ declare name text; begin
    for name in select tablename from pg_tables where schemaname = 'public' loop
      execute format('alter table %I add column later text not null default %L', name, 'of the later release');
    end loop;
  end $$`.execute(a.deps.db)
  for (const node of [a, b]) {
    await actAsHost(node, host)
    await actAsHost(node, await buildHost(node))
  }
})
