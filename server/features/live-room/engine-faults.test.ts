import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { aHost, aPhone, aRoomUser, call } from '../../../test/build.ts'
import { startTestApp, type TestServer } from '../../../test/start.ts'
import { openStream } from '../../../test/stream.ts'
import { InProcessEngine } from './in-process-engine.ts'
import type { Seat } from './room-engine.ts'

let server: TestServer
let isAway = false

beforeAll(async () => {
  const join = InProcessEngine.prototype.join
  vi.spyOn(InProcessEngine.prototype, 'join').mockImplementation(async function (this: InProcessEngine, ...asked) {
    const [seat, copy] = await join.apply(this, asked)
    return [breaking(seat), copy]
  })
  server = await startTestApp({ roomTimes: { sweep: 20 } })
  await server.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => server.close())

function breaking(seat: Seat): Seat {
  const failed = () => Promise.reject(new Error('The engine is away'))
  return {
    id: seat.id,
    append: (change) => (isAway ? failed() : seat.append(change)),
    seen: (id, at) => seat.seen(id, at),
    lastSeen: (ids) => (isAway ? failed() : seat.lastSeen(ids)),
    leave: () => seat.leave(),
  }
}

test('while an engine takes no change the process lives, callers hear of it, and then all goes on', async () => {
  const unhandled = vi.fn()
  process.on('unhandledRejection', unhandled)
  const logged = vi.spyOn(server.deps.log, 'error')
  const host = await aHost(server)
  const phone = await aPhone(server, host, await aRoomUser(server, host))
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

  isAway = true
  expect(await status({ wants_to_speak: true })).toMatchObject({ status: 500, body: { code: 'internal' } })
  expect((await call(server, 'POST', `/host/users/${phone.id}/mute`, { as: host })).status).toBe(500)
  own.close()
  await own.ended
  const failures = logged.mock.calls.length
  await expect.poll(() => logged.mock.calls.length).toBeGreaterThan(failures + 1) // the sweep's
  isAway = false

  const console = await listen(host)
  await expect
    .poll(() => status({ wants_to_speak: true }))
    .toMatchObject({ status: 200, body: { data: { is_muted: true } } })
  await console.next('user-speaker-toggle', { wants_to_speak: true })
  expect(unhandled).not.toHaveBeenCalled()
  console.close()
  process.off('unhandledRejection', unhandled)
})
