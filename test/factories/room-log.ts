import { afterEach } from 'vitest'
import { RedisRoomLogs } from '../../server/features/live-room/replication/redis-room-logs.ts'
import { RoomState } from '../../server/features/live-room/state/room-state.ts'
import type { RosterEntry, StoredRoom } from '../../server/features/live-room/state/roster.ts'
import { secretsFrom } from '../../server/lib/secrets.ts'
import { SharedRedis } from '../../server/redis/shared-redis.ts'

const SECRETS = secretsFrom('a secret key for tests alone, 32 bytes or more')

export const USER_IDS = ['a', 'b', 'c', 'd']

const entry = (id: string): RosterEntry => ({
  ...{ id, user_id: id, username: `Name of ${id}`, reference: null, email: null, is_active: true, is_muted: false },
  ...{ phone_changed: false, last_seen: null, login_time: null, device_id: null, device_model: null },
  ...{ platform: null, app_version: null },
})

/** Builds the room as the database stores it. */
export const storedRoom = (): StoredRoom => ({
  ...{ id: 'room', changeNumber: 0, meetingId: null, hostMuteAll: false, inMeeting: new Set() },
  ...{ roster: USER_IDS.map(entry), host: entry('host') },
})

const open: (() => void)[] = []

/** Closes the logs that a test has joined. */
export function closeRoomLogs(): void {
  afterEach(() => {
    for (const close of open.splice(0)) close()
  })
}

export type JoinedLog = Awaited<ReturnType<typeof joinRoomLog>>

/** A server's part of a room, which applies the changes. */
export async function joinRoomLog(redisUrl: string, hostId: string) {
  const faults: unknown[] = []
  const shared = new SharedRedis({
    url: redisUrl,
    identity: 'test',
    secrets: SECRETS,
    onUnreadable: (error) => faults.push(error),
  })
  const logs = new RedisRoomLogs(shared, Date.now, (error) => faults.push(error))
  await shared.connect()
  const log = await logs.open(hostId, async () => storedRoom())
  open.push(() => {
    log.close()
    logs.close()
    shared.close()
  })
  const node = {
    ...{ shared, logs, log, faults },
    state: new RoomState(log.start),
    /** Events since its start or restart. */
    events: [] as string[],
    /** The last event of each id, across all epochs. */
    ids: new Map<string, string>(),
    /** Ids with two different events. */
    ambiguous: [] as string[],
    restarts: 0,
    repeated: 0,
    streams: [] as string[],
  }
  log.follow({
    apply(change) {
      for (const { id, event } of node.state.apply(change).events) {
        const text = JSON.stringify(event)
        node.events.push(`${id} ${text}`)
        if ((node.ids.get(id) ?? text) !== text) node.ambiguous.push(id)
        node.ids.set(id, text)
      }
    },
    toSnapshot: () => node.state.toSnapshot(),
    streams: () => node.streams,
    moderators: () => ({ here: () => [], isWatched: false }),
    moderatorsElsewhere: () => {},
    restart(start) {
      node.restarts++
      node.state = new RoomState(start)
      node.events = []
    },
    republish: () => node.repeated++,
  })
  return node
}
