import { expect, test } from 'vitest'
import { JoinTicket } from '../../../shared/mobile.ts'
import { normaliseForComparison } from '../../../shared/normalise.ts'
import { call, type SignedIn, type TestHost } from '../../../test/factories/accounts.ts'
import { buildZoomHost, setupWithZoom } from '../../../test/zoom/emulated-zoom.ts'
import { receiveWebhooks, webhooksProcessed } from '../../../test/zoom/webhooks.ts'
import { readUser } from '../../zoom/calls.ts'

// Uses the real clock, since Zoom's limits are per second.
const server = await setupWithZoom()

/** Signs phones in without the cost of checking passwords. */
async function manyPhones(host: TestHost, count: number): Promise<SignedIn[]> {
  const { db, sessions } = server.deps
  const room = db.selectFrom('rooms').select('id').where('host_id', '=', host.id)
  const { id: room_id } = await room.executeTakeFirstOrThrow()
  const names = Array.from({ length: count }, (_, at) => `phone${at}`)
  const users = await db
    .insertInto('room_users')
    .values(
      names.map((username) => ({
        room_id,
        ...{
          user_id: username,
          user_id_key: normaliseForComparison(username),
          username,
          username_key: normaliseForComparison(username),
        },
        ...{ password_hash: 'none', password_ciphertext: 'none' },
      })),
    )
    .returning('id')
    .execute()
  await server.deps.rooms.forget(host.id) // so that all of them are loaded
  const phones = []
  for (const { id } of users) {
    const who = { role: 'phone' as const, master_id: null, host_id: host.id, room_user_id: id }
    phones.push({ token: await sessions.open(db, who, '127.0.0.1') })
  }
  return phones
}

const requestTickets = (phones: SignedIn[]) =>
  Promise.all(phones.map(async (as) => ({ as, ...(await call(server, 'POST', '/mobile/join-ticket', { as })) })))

/** Retries until each phone has its ticket, as phones do: on a busy machine the last ones may miss their deadline. */
async function ticketsFor(phones: SignedIn[]): Promise<JoinTicket[]> {
  if (phones.length === 0) return []
  const answers = await requestTickets(phones)
  const [served, busy] = [
    answers.filter(({ status }) => status === 200),
    answers.filter(({ status }) => status !== 200),
  ]
  for (const answer of busy) expect(answer).toMatchObject(COME_AGAIN)
  return [...served.map(({ body }) => JoinTicket.parse(body.data)), ...(await ticketsFor(busy.map(({ as }) => as)))]
}
const COME_AGAIN = { status: 503, headers: { 'retry-after': expect.stringMatching(/^\d+$/) }, body: { code: 'busy' } }
const limits = (second_limits: boolean) => server.control('/options', { second_limits })

/** Builds a host who is in its meeting, by Zoom’s events. */
async function buildHostInMeeting(): Promise<TestHost> {
  const host = await buildZoomHost(server)
  await receiveWebhooks(server)
  const meeting = `/meetings/${host.rooms[0]?.zoom_meeting_id}`
  await server.control(`${meeting}/start`, {})
  await server.control(`${meeting}/participants/join`, { host: true })
  await webhooksProcessed(server)
  return host
}

test("gives a hundred phones that rejoin at once a ticket each, within Zoom's rate", async () => {
  const host = await buildHostInMeeting()
  const phones = await manyPhones(host, 100)
  await limits(true)
  const tickets = await ticketsFor(phones)
  expect(new Set(tickets.map(({ obf_token }) => obf_token)).size).toBe(100)
  expect(await server.control('/state')).toMatchObject({ rate_limited: 0 })
  expect(await server.deps.zoom.callFor(host.id, readUser)).toMatchObject({ email: host.email }) // the breaker is closed
})

test('refuses the phones that Zoom cannot serve in time, with a time to retry', async () => {
  const host = await buildHostInMeeting()
  const { account } = await server.control('/accounts', { email: host.email, type: 1 })
  expect(account).toMatchObject({ type: 1 })
  await server.deps.db
    .updateTable('zoom_links')
    .set({ warnings: JSON.stringify([{ code: 'basic_plan', message: 'A free account' }]) })
    .execute()
  const phones = await manyPhones(host, 40)
  await limits(true)
  const answers = await requestTickets(phones)
  const served = answers.filter(({ status }) => status === 200)
  const refused = answers.filter(({ status }) => status !== 200)
  expect(served.length).toBeGreaterThan(10)
  expect(refused.length).toBeGreaterThan(1)
  for (const answer of refused) expect(answer).toMatchObject(COME_AGAIN)
  expect(await server.control('/state')).toMatchObject({ rate_limited: 0 })
  expect(await server.deps.zoom.callFor(host.id, readUser)).toMatchObject({ email: host.email })
})
