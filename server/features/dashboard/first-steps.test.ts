import { expect, test } from 'vitest'
import { buildHost, buildPhone, buildRoomUser, call, type SignedIn } from '../../../test/factories/accounts.ts'
import { buildZoomHost, setupWithZoom } from '../../../test/zoom/emulated-zoom.ts'

const server = await setupWithZoom()
const steps = async (as: SignedIn) => (await call(server, 'GET', '/host/dashboard', { as })).body.data.first_steps
const MEETING = { meeting_id: '1', meeting_uuid: 'first==', is_live: false, live_reported_at: new Date() }

test('a new host has three steps, until its first meeting has run', async () => {
  const host = await buildZoomHost(server)
  const other = await buildZoomHost(server)
  expect(await steps(host)).toEqual({ has_users: false, has_sent_logins: false })
  const user = await buildRoomUser(server, host)
  expect(await steps(host)).toEqual({ has_users: true, has_sent_logins: false })
  await call(server, 'POST', `/host/users/${user.id}/credentials`, { as: host })
  expect(await steps(host)).toEqual({ has_users: true, has_sent_logins: true })

  await buildPhone(server, host, user)
  expect(await steps(host)).not.toBeNull()
  const room = await server.deps.db
    .selectFrom('rooms')
    .select('id')
    .where('host_id', '=', host.id)
    .executeTakeFirstOrThrow()
  await server.deps.db
    .insertInto('sittings')
    .values({ ...MEETING, room_id: room.id, began_at: new Date() })
    .execute()
  expect(await steps(host)).toBeNull()
  await call(server, 'POST', `/host/users/${user.id}/delete`, { as: host })
  expect(await steps(host)).toBeNull()
  expect(await steps(other)).toEqual({ has_users: false, has_sent_logins: false })
})

test('a phone that has signed in shows that the details were sent, and in a room without Zoom that is all', async () => {
  const withZoom = await buildZoomHost(server)
  await buildPhone(server, withZoom, await buildRoomUser(server, withZoom))
  expect(await steps(withZoom)).toEqual({ has_users: true, has_sent_logins: true })
  const without = await buildHost(server)
  await buildPhone(server, without, await buildRoomUser(server, without))
  await expect.poll(() => steps(without)).toBeNull()
})
