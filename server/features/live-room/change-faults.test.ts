import { expect, test, vi } from 'vitest'
import {
  buildHost,
  buildPhone,
  buildRoomUser,
  call,
  requestStream,
  type SignedIn,
} from '../../../test/factories/accounts.ts'
import { setup } from '../../../test/servers/setup.ts'
import { openStream } from '../../../test/servers/stream.ts'
import { RoomState } from './state/room-state.ts'

const server = await setup()
const origin = await server.app.listen({ port: 0, host: '127.0.0.1' })

test('a failed change is an error for its caller or a line in the log, and the process continues', async () => {
  const apply = RoomState.prototype.apply
  let isFailing = false
  vi.spyOn(RoomState.prototype, 'apply').mockImplementation(function (this: RoomState, change) {
    if (isFailing) throw new Error('The change failed')
    return apply.call(this, change)
  })
  const unhandled = vi.fn()
  process.on('unhandledRejection', unhandled)
  const logged = vi.spyOn(server.deps.log, 'error')
  const host = await buildHost(server)
  const phone = await buildPhone(server, host, await buildRoomUser(server, host))
  const listen = async (as: SignedIn) => openStream(origin + (await requestStream(server, host, as)).body.sseUrl)
  const status = (body: object) => call(server, 'POST', '/mobile/status', { as: phone, body })
  const own = await listen(phone)

  await status({ speaker_on: true, is_speaking: true })
  isFailing = true
  await expect.poll(() => logged.mock.calls.map(([, event]) => event)).toContain('live_room.change_failed') // the voice
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
  process.off('unhandledRejection', unhandled)
})
