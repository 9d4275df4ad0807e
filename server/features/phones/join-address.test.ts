import { beforeEach, describe, expect, test } from 'vitest'
import { JoinTicket } from '../../../shared/mobile.ts'
import {
  buildMaster,
  buildPhone,
  buildRoomUser,
  call,
  type SignedIn,
  type TestHost,
} from '../../../test/factories/accounts.ts'
import { buildZoomHost, setupWithZoom } from '../../../test/zoom/emulated-zoom.ts'
import { receiveWebhooks, webhooksProcessed, zoomIdsOf } from '../../../test/zoom/webhooks.ts'

let appAccount: string | undefined
let host: TestHost
let phone: SignedIn

const server = await setupWithZoom()
Object.defineProperty(server.deps.config, 'ZOOM_APP_ACCOUNT_ID', { get: () => appAccount })
beforeEach(async () => {
  host = await buildZoomHost(server)
  phone = await buildPhone(server, host, await buildRoomUser(server, host))
  appAccount = (await zoomIdsOf(server, host)).account_id
})

const numberOf = () => String(host.rooms[0]?.zoom_meeting_id)
const addressWithPasscode = () => new RegExp(`^${server.zoom.origin}/j/${numberOf()}\\?pwd=.`)
async function ticket(as = phone) {
  return JoinTicket.parse((await call(server, 'POST', '/mobile/join-ticket', { as })).body.data)
}

describe("the address for Zoom's own app", () => {
  const rooms = () => server.deps.db.selectFrom('rooms').selectAll().execute()
  const change = (columns: { join_url_ciphertext?: null; passcode_ciphertext?: string }) =>
    server.deps.db.updateTable('rooms').set(columns).execute()

  test('is stored encrypted when the meeting is created', async () => {
    const [room] = await rooms()
    expect(room?.join_url_ciphertext).toMatch(/./)
    expect(JSON.stringify(room)).not.toContain('/j/')
  })

  test('is stored when a meeting is checked that was created before', async () => {
    await change({ join_url_ciphertext: null })
    expect((await ticket()).join_url).toMatch(addressWithPasscode())
    await server.control('/faults', { kind: 'status', status: 500, times: 0 })
    expect((await ticket()).join_url).toMatch(addressWithPasscode())
  })

  test('is read from Zoom while the meeting runs, once for all phones', async () => {
    await receiveWebhooks(server)
    await server.control(`/meetings/${numberOf()}/start`, {})
    await webhooksProcessed(server)
    await change({ join_url_ciphertext: null })
    await server.control('/faults', { match: { path: '/v2/meetings/*' }, kind: 'slow', times: 0 })
    const another = await buildPhone(server, host, await buildRoomUser(server, host))
    const tickets = await Promise.all([ticket(), ticket(another), ticket()])
    for (const { join_url } of tickets) expect(join_url).toMatch(addressWithPasscode())
    expect((await server.control('/state')).faults).toMatchObject([{ hits: 1 }])
  })

  test('has no passcode where none is known and Zoom does not answer', async () => {
    await change({ join_url_ciphertext: null })
    await server.control('/faults', { kind: 'status', status: 500, times: 0 })
    expect((await ticket()).join_url).toBe(`${server.zoom.oauthUrl}/j/${numberOf()}`)
  })

  test('changes with the passcode', async () => {
    const before = (await ticket()).join_url
    expect((await call(server, 'POST', '/host/room/passcode', { as: host })).status).toBe(200)
    await server.control('/faults', { kind: 'status', status: 500, times: 0 })
    const after = (await ticket()).join_url
    expect(after).toMatch(addressWithPasscode())
    expect(after).not.toBe(before)
  })

  test('is not that of an earlier passcode', async () => {
    const [room] = await rooms()
    const aad = `rooms.passcode:${room?.id}`
    await change({ passcode_ciphertext: server.deps.secrets.encrypt('another', aad) })
    await server.control('/faults', { kind: 'status', status: 500, times: 0 })
    expect(await ticket()).toMatchObject({
      passcode: 'another',
      join_url: `${server.zoom.oauthUrl}/j/${numberOf()}`,
    })
  })

  test('goes when Zoom is disconnected', async () => {
    const body = { username: host.username, email: host.email, zoom_user_email: '' }
    await call(server, 'PUT', `/admin/hosts/${host.id}`, { as: await buildMaster(server), body })
    expect(await rooms()).toMatchObject([{ zoom_meeting_id: null, join_url_ciphertext: null }])
  })
})
