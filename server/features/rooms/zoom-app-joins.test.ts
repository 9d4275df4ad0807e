import { beforeEach, expect, test } from 'vitest'
import { buildRoomUser, call, type TestHost } from '../../../test/factories/accounts.ts'
import { statementsOf } from '../../../test/servers/statements.ts'
import { buildZoomHost, setupWithZoom } from '../../../test/zoom/emulated-zoom.ts'
import { receiveWebhooks, webhooksProcessed, zoomIdsOf } from '../../../test/zoom/webhooks.ts'
import { RETENTION } from '../../jobs/retention.ts'
import { clearZoomAppJoins } from './jobs.ts'

let now = Date.parse('2026-11-21T10:00:00Z')
let host: TestHost
let appAccount: string | undefined
let admitsGuest: boolean | undefined

const server = await setupWithZoom({ now: () => now })
Object.defineProperty(server.deps.config, 'ZOOM_APP_ACCOUNT_ID', { get: () => appAccount })
beforeEach(async () => {
  now += 24 * 3_600_000
  host = await buildZoomHost(server)
  await receiveWebhooks(server)
})

const happens = async (what: string, body: object = {}) => {
  now += 1000
  return server.control(`/meetings/${host.rooms[0]?.zoom_meeting_id}${what}`, body)
}
const joins = async (body: object): Promise<string> => {
  const { participant } = (await happens('/participants/join', body)) as { participant: { participant_uuid: string } }
  return participant.participant_uuid
}
const inZoomApp = async () => {
  await webhooksProcessed(server)
  const { in_zoom_app } = (await call(server, 'GET', '/host/room', { as: host })).body.data.room
  if (!in_zoom_app) return in_zoom_app
  const { admits_seat_as_guest, ...counted } = in_zoom_app
  admitsGuest = admits_seat_as_guest
  return counted
}
const joinings = () => server.deps.db.selectFrom('zoom_app_joins').selectAll().execute()

test('those without a key of Parley’s are counted, from their joining to their leaving', async () => {
  const anita = await buildRoomUser(server, host)
  expect(await inZoomApp()).toBeNull()
  await happens('/start')
  await joins({ customer_key: anita.id, user_name: 'Anita' })
  await joins({ customer_key: `seat-${'a'.repeat(30)}`, user_name: 'Seat' })
  expect(await inZoomApp()).toEqual({ others: 0, has_host: false })
  const lee = await joins({ user_name: 'Lee' })
  await joins({ user_name: 'Kim' })
  expect(await inZoomApp()).toEqual({ others: 2, has_host: false })
  await happens('/participants/leave', { participant_uuid: lee })
  expect(await inZoomApp()).toEqual({ others: 1, has_host: false })
  expect(JSON.stringify(await joinings())).not.toMatch(/Lee|Kim/)
  await happens('/end')
  expect(await inZoomApp()).toBeNull()
  await happens('/start')
  expect(await inZoomApp()).toEqual({ others: 0, has_host: false })
})

test('the host’s own app is told apart, also where it has started the meeting', async () => {
  await happens('/start')
  await joins({ host: true })
  expect(await inZoomApp()).toEqual({ others: 0, has_host: true })
  await happens('/participants/leave', { host: true })
  expect(await inZoomApp()).toEqual({ others: 0, has_host: false })
  await happens('/end')
  await call(server, 'POST', '/host/room/start', { as: host })
  await happens('/start')
  expect(await inZoomApp()).toEqual({ others: 0, has_host: true })
  await happens('/participants/leave', { host: true })
  expect(await inZoomApp()).toEqual({ others: 0, has_host: false })
})

test('no more than 2,000 joinings of a meeting are kept, and they go with the events of Zoom', async () => {
  await happens('/start')
  const lee = await joins({ user_name: 'Lee' })
  await webhooksProcessed(server)
  const [known] = await joinings()
  if (!known) throw new Error('There is no joining')
  const more = Array.from({ length: 1_999 }, (_, at) => ({ ...known, participant: `${at}`, is_present: false }))
  await server.deps.db.insertInto('zoom_app_joins').values(more).execute()
  await joins({ user_name: 'Kim' })
  expect(await inZoomApp()).toEqual({ others: 1, has_host: false })
  await happens('/participants/leave', { participant_uuid: lee })
  expect(await inZoomApp()).toEqual({ others: 0, has_host: false })
  expect(await joinings()).toHaveLength(2_000)

  now += RETENTION.zoom_events
  expect(await clearZoomAppJoins.run(server.deps)).toBe(0) // the meeting runs
  await happens('/end')
  await webhooksProcessed(server)
  now += RETENTION.zoom_events + 1
  expect(await clearZoomAppJoins.run(server.deps)).toBe(2_000)
})

test('a seat may join beside the host as a guest in the app’s own account alone', async () => {
  await happens('/start')
  appAccount = (await zoomIdsOf(server, host)).account_id
  expect([await inZoomApp(), admitsGuest]).toEqual([{ others: 0, has_host: false }, false])
  await joins({ host: true })
  expect([await inZoomApp(), admitsGuest]).toEqual([{ others: 0, has_host: true }, true])
  appAccount = 'another'
  expect([await inZoomApp(), admitsGuest]).toEqual([{ others: 0, has_host: true }, false])
})

test('a poll of the room asks the database for no more than where the seat is off', async () => {
  await happens('/start')
  await joins({ user_name: 'Lee' })
  await joins({ host: true })
  const poll = () => call(server, 'GET', '/host/room', { as: host })
  expect(await inZoomApp()).toEqual({ others: 1, has_host: true }) // the session and the room are in memory now
  const on = await statementsOf(server.deps.db, poll)
  const { HOST_SEAT } = server.deps.config
  Object.assign(server.deps.config, { HOST_SEAT: false })
  const off = await statementsOf(server.deps.db, poll)
  expect((await poll()).body.data.room.in_zoom_app).toBeUndefined()
  Object.assign(server.deps.config, { HOST_SEAT })
  expect([on.length, off.length]).toEqual([2, 2])
})
