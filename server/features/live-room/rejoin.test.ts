import { expect, test } from 'vitest'
import { Presence } from './presence.ts'
import { localRoomLogs } from './replication/local-room-logs.ts'
import type { RoomChange } from './state/room-change.ts'
import { RoomState } from './state/room-state.ts'
import type { RosterEntry } from './state/roster.ts'

const entry = (id: string): RosterEntry => ({
  ...{ id, user_id: id, username: id, reference: null, email: null, is_active: true, is_muted: false },
  ...{ phone_changed: false, last_seen: null, login_time: null, device_id: null, device_model: null },
  ...{ platform: null, app_version: null },
})

/** Builds a server that receives the other servers' changes with its own next change, or by `catchUp`. */
async function buildServer() {
  const stored = { id: 'room', changeNumber: 0, meetingId: null, hostMuteAll: false, inMeeting: new Set<string>() }
  const log = await localRoomLogs.open('host', async () => ({ ...stored, roster: [entry('a')], host: entry('host') }))
  const state = new RoomState(log.start)
  const elsewhere: RoomChange[] = []
  const catchUp = () => {
    for (const change of elsewhere.splice(0)) state.apply(change)
  }
  const appended: RoomChange[] = []
  log.follow({
    apply(change) {
      appended.push(change)
      catchUp()
      state.apply(change)
    },
    toSnapshot: () => state.toSnapshot(),
    streams: () => [],
    moderators: () => ({ here: () => [], isWatched: false }),
    moderatorsElsewhere: () => {},
    restart() {},
    republish() {},
  })
  const presence = new Presence({ log, find: (id) => state.participants.get(id), now: () => 2_000, onFault() {} })
  const phone = state.participants.get('a')
  if (!phone) throw new Error('No phone')
  return { phone, presence, elsewhere, catchUp, appended }
}

test('a phone that left at another server a moment ago is online again here, with what it reports', async () => {
  const { phone, presence, elsewhere, catchUp } = await buildServer()
  await presence.report(phone, { microphone: 'refused' })
  elsewhere.push({ type: 'offline', users: [{ id: 'a', at: 2_000 }] })
  await presence.report(phone, { microphone: 'refused' }, true)
  catchUp()
  expect(phone).toMatchObject({ is_online: true, microphone: 'refused' })
  presence.close()
})

test('a phone that says so again and again is written down twenty times a second', async () => {
  const { phone, presence, appended } = await buildServer()
  for (let n = 0; n < 100; n++) await presence.report(phone, {}, true)
  expect(appended).toHaveLength(20)
  presence.close()
})
