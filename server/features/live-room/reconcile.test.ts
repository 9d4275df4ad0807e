import { afterEach, expect, test, vi } from 'vitest'
import { storedRoom, USER_IDS } from '../../../test/factories/room-log.ts'
import { Metrics } from '../../lib/metrics.ts'
import { LiveRoom } from './live-room.ts'
import { localRoomLogs } from './replication/local-room-logs.ts'
import { ROOM_TIMES } from './room-times.ts'
import { FanOut } from './streams/broadcaster.ts'

let room: LiveRoom
afterEach(() => room.close())

test('a comparison with the database is made again when another change comes first', async () => {
  const log = await localRoomLogs.open('host', async () => storedRoom())
  const options = {
    ...{ now: Date.now, times: ROOM_TIMES, fanOut: new FanOut(), metrics: new Metrics() },
    ...{ onPresence() {}, onSpoken() {}, onHand() {}, onFault() {} },
  }
  room = new LiveRoom('host', log, options)
  const [id = ''] = USER_IDS
  const isMuted = () => room.user(id)?.is_muted

  // Muted by the first change and unmuted by the second: nothing differs from a room that has applied neither.
  const append = log.append.bind(log)
  vi.spyOn(log, 'append').mockImplementationOnce(async (comparison) => {
    await append({ type: 'committed', number: 1, changes: [{ type: 'mute', ids: [id], is_muted: true, by: 'host' }] })
    expect(isMuted()).toBe(true)
    await append(comparison)
  })
  await room.commands.reconcile({ ...storedRoom(), changeNumber: 2 })
  expect([isMuted(), room.changeNumber]).toEqual([false, 2])
})
