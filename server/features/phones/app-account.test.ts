import { jwtVerify } from 'jose'
import { beforeEach, describe, expect, test } from 'vitest'
import { buildPhone, buildRoomUser, call, type SignedIn, type TestHost } from '../../../test/factories/accounts.ts'
import { buildZoomHost, startZoomServer, type ZoomServer } from '../../../test/zoom/emulated-zoom.ts'
import { zoomIdsOf } from '../../../test/zoom/webhooks.ts'

let now = Date.parse('2026-11-21T10:00:00Z')

describe('without settings for the SDK or the account', () => {
  let server: ZoomServer
  let host: TestHost
  let phone: SignedIn
  beforeEach(async () => {
    server = await startZoomServer({ now: () => now })
    host = await buildZoomHost(server)
    phone = await buildPhone(server, host, await buildRoomUser(server, host))
    return server.close
  })
  const requestTicket = () => call(server, 'POST', '/mobile/join-ticket', { as: phone })

  test("guests of the account that Zoom names as the app's need only the signature", async () => {
    await server.control('/options', { app_account: (await zoomIdsOf(server, host)).account_id })
    const { status, body } = await requestTicket()
    expect(status).toBe(200)
    expect(body.data).not.toHaveProperty('obf_token')
    const key = new TextEncoder().encode('secret')
    const signed = await jwtVerify(body.data.signature, key, { algorithms: ['HS256'], currentDate: new Date(now) })
    expect(signed.payload).toMatchObject({ appKey: 'client' })
    await server.control('/faults', { match: { path: '/v2/users/me' }, kind: 'slow', times: 0 })
    expect((await requestTicket()).status).toBe(200)
    expect((await server.control('/state')).faults).toMatchObject([{ hits: 0 }]) // the owner is not looked up again
  })

  test('guests of other accounts wait for the host', async () => {
    await server.control('/options', { app_account: 'another account' })
    expect((await requestTicket()).status).toBe(409)
  })

  test('all guests wait for the host while Zoom does not answer', async () => {
    const app_account = (await zoomIdsOf(server, host)).account_id
    await server.control('/options', { app_account, app_answers: false })
    expect((await requestTicket()).status).toBe(409)
    await server.control('/options', { app_answers: true })
    expect((await requestTicket()).status).toBe(409)
    now += 60_000
    expect((await requestTicket()).status).toBe(200)
  })
})
