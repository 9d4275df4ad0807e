import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { buildHost, buildPhone, buildRoomUser, call } from '../../../test/factories.ts'
import { startTestApp, type TestServer } from '../../../test/start.ts'
import { openStream } from '../../../test/stream.ts'
import { RoomState } from './room-state.ts'

let server: TestServer
let isFailing = false

beforeAll(async () => {
  const apply = RoomState.prototype.apply
  vi.spyOn(RoomState.prototype, 'apply').mockImplementation(function (this: RoomState, change) {
    if (isFailing) throw new Error('The change failed')
    return apply.call(this, change)
  })
  server = await startTestApp()
  await server.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => server.close())

test('a failed change is an error for its caller or a line in the log, and the process continues', async () => {
  const unhandled = vi.fn()
  process.on('unhandledRejection', unhandled)
  const logged = vi.spyOn(server.deps.log, 'error')
  const host = await buildHost(server)
  const phone = await buildPhone(server, host, await buildRoomUser(server, host))
  const origin = `http://127.0.0.1:${(server.app.server.address() as AddressInfo).port}`
  const listen = async (as: { token: string }) => {
    const { room_id } = (await call(server, 'GET', '/host/details', { as: host })).body
    return openStream(
      origin + (await call(server, 'POST', '/mobile/sse-session', { as, body: { room_id } })).body.sseUrl,
    )
  }
  const status = async (body: object) => {
    const headers = { authorization: `Bearer ${phone.token}`, 'content-type': 'application/json' }
    const answer = await fetch(`${origin}/api/mobile/status`, { method: 'POST', headers, body: JSON.stringify(body) })
    return { status: answer.status, body: await answer.json() }
  }
  const own = await listen(phone)

  await status({ speaker_on: true, is_speaking: true })
  isFailing = true
  await expect.poll(() => logged.mock.calls.map(([, event]) => event)).toContain('live_room.change_failed') // the voice's
  expect(await status({ wants_to_speak: true })).toMatchObject({ status: 500, body: { code: 'internal' } })
  expect((await call(server, 'POST', `/host/users/${phone.id}/mute`, { as: host })).status).toBe(500)
  own.close()
  await own.ended
  isFailing = false

  const console = await listen(host)
  await expect
    .poll(() => status({ wants_to_speak: true }))
    .toMatchObject({ status: 200, body: { data: { is_muted: true } } })
  await console.next('user-speaker-toggle', { wants_to_speak: true })
  expect(unhandled).not.toHaveBeenCalled()
  console.close()
  process.off('unhandledRejection', unhandled)
})
