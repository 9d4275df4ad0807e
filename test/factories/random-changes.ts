import type { RoomChange } from '../../server/features/live-room/state/room-change.ts'
import { initialRoom } from '../../server/features/live-room/state/room-snapshot.ts'
import { RoomState } from '../../server/features/live-room/state/room-state.ts'
import type { RoomWord } from '../../server/features/live-room/state/room-words.ts'
import type { RosterEntry } from '../../server/features/live-room/state/roster.ts'

const IDS = ['a', 'b', 'c', 'host']

const entry = (id: string, at: number | null = null): RosterEntry => ({
  id,
  user_id: id,
  username: `Name of ${id}`,
  reference: null,
  email: null,
  is_active: true,
  is_muted: false,
  group_ids: ['g'],
  phone_changed: false,
  last_seen: at === null ? null : new Date(at),
  login_time: at === null ? null : new Date(at),
  device_id: null,
  device_model: null,
  platform: null,
  app_version: null,
})

/** Builds a room of three users and the host's phone. */
export function buildRoomState(): RoomState {
  const roster = ['a', 'b', 'c'].map((id) => entry(id, 500))
  const stored = { id: 'room', changeNumber: 0, meetingId: null, hostMuteAll: false, inMeeting: new Set(['b']), roster }
  return new RoomState(initialRoom({ ...stored, host: entry('host') }, 'epoch'))
}

/** Returns a generator whose numbers are the same for the same seed. */
export function seeded(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((state / 2 ** 31) * below)
  }
}

/** Builds a random change, with numbers that come early, twice or never. */
export function randomChange(random: (below: number) => number, at: number): RoomChange {
  const id = IDS[random(IDS.length)] ?? 'a'
  const bool = () => random(2) === 1
  const changes: (() => RoomChange)[] = [
    () => ({ type: 'online', id, at }),
    () => ({ type: 'online', id, at }),
    () => ({ type: 'offline', users: [{ id, at: at - 10 }] }),
    () => ({ type: bool() ? 'asleep' : 'awake', ids: [id] }),
    () => ({ type: 'status', id, at, status: { is_speaking: bool(), speaker_on: bool() } }),
    () => ({ type: 'status', id, at, status: { wants_to_speak: bool(), audio: bool() ? 'on' : 'off' } }),
    () => ({ type: 'muted-again', id, at: at * 500 }),
    () => ({ type: 'flush-voice' }),
    () => ({ type: 'queue-order', order: bool() ? 'least_spoken' : 'fewest_turns' }),
    () => ({ type: 'groups', groups: bool() ? [{ id: 'g', name: 'Altos', colour: 'red' }] : [] }),
    () => ({ type: 'word-confirmed', id, word: `word ${random(6)}`, answer: bool() ? 'well' : null }),
    () => ({ type: 'flush-words' }),
    () => ({ type: 'acknowledge', id, acks: [`epoch-${random(40)}`] }),
    () => ({ type: 'flush-acks' }),
    () => ({ type: 'lower-hands', ids: [id] }),
    () => ({ type: 'sign-out', ids: [id], reason: 'logout', at }),
    () => ({ type: 'meeting-runs', is_running: bool() }),
    () => ({ type: 'meeting-runs', is_running: true, sitting: `sitting ${random(2)}` }),
    () => ({ type: 'meeting', meeting_id: bool() ? '81234567890' : null }),
    () => ({ type: 'in-meeting', id, in_meeting: bool() }),
    () => ({ type: 'committed', number: random(30), changes: [committedChange(random, id, at)] }),
    () => ({
      type: 'catch-up',
      base: random(6),
      number: random(6),
      changes: [{ type: 'upsert', entry: entry(id, at) }],
    }),
  ]
  return changes[random(changes.length)]?.() ?? { type: 'flush-voice' }
}

function committedChange(random: (below: number) => number, id: string, at: number): RoomChange {
  const is_muted = random(2) === 1
  const changes: RoomChange[] = [
    { type: 'mute', ids: [id], is_muted, by: 'host' },
    { type: 'mute-all', active: is_muted, except: [id] },
    { type: 'word', word: randomWord(random, id, at) },
    { type: 'word-over', id: `word ${random(6)}` },
    { type: 'upsert', entry: entry(id, at) },
    { type: 'remove', id, at },
  ]
  return changes[random(changes.length)] ?? { type: 'flush-acks' }
}

function randomWord(random: (below: number) => number, id: string, at: number): RoomWord {
  const [rings, asks, isToRoom] = [1, 2, 3].map(() => random(2) === 1)
  const to = isToRoom ? null : id
  return {
    id: `word ${random(6)}`,
    user_id: to,
    text: 'Text',
    rings: rings === true,
    asks: asks === true,
    by: { id, name: id },
    at,
  }
}
