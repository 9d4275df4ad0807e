import { type Random, seededRandom } from '../../simulator/random.ts'

const MINUTE_MS = 60_000

export type HistoryUser = {
  id: string
  user_id: string
  username: string
  /** The first and the last of the meetings that the user may come to, counted from 0; all of them by default. */
  from?: number
  until?: number
}

export type HistoryMeeting = { uuid: string; began_at: number; minutes: number; note?: string }

export type HistoryOptions = {
  users: readonly HistoryUser[]
  /** The meetings in the order of their start. */
  meetings: readonly HistoryMeeting[]
  /** The mean length of a turn of those who do not lead the meeting. */
  turnSeconds: number
  actsPerMeeting: number
  /** The same seed makes the same history. */
  seed: string
}

type Hand = Period & { meeting: HistoryMeeting }
type Period = { user: HistoryUser; from: number; to: number }

/** Acts that the log has of a host during a meeting, the frequent ones several times. */
const ACTS = ['user_mute', 'user_unmute', 'user_mute', 'user_lower-hand', 'user_unmute', 'mute_all'] as const
type Act = { action: (typeof ACTS)[number]; user: HistoryUser; at: number }

export type RoomHistory = {
  users: readonly HistoryUser[]
  meetings: readonly HistoryMeeting[]
  stays: Period[]
  speeches: Period[]
  hands: Hand[]
  acts: Act[]
}

type Habit = {
  user: HistoryUser
  /** Likelihoods from 0 to 1: of coming, of being late, and of losing the connection once. */
  comes: number
  late: number
  drops: number
  talks: number
}

/** Makes what a room's users did in past meetings: the first user leads them, some are often late, a few speak much. */
export function makeRoomHistory({ users, meetings, turnSeconds, actsPerMeeting, seed }: HistoryOptions): RoomHistory {
  const random = seededRandom(seed)
  const habits = users.map((user, index) => habitOf(user, index, random))
  const history: RoomHistory = { users, meetings, stays: [], speeches: [], hands: [], acts: [] }
  for (const [index, meeting] of meetings.entries()) {
    const present = habits.filter(({ user: { from = 0, until = meetings.length } }) => from <= index && index <= until)
    const stays = present.flatMap((habit) => staysOf(habit, meeting, random))
    const speeches = speechesOf(habits, stays, meeting, { turnSeconds, random })
    history.stays.push(...stays)
    history.speeches.push(...speeches)
    history.hands.push(...handsOf(stays, speeches, meeting))
    history.acts.push(...actsOf(stays, meeting, { actsPerMeeting, random }))
  }
  return history
}

function habitOf(user: HistoryUser, index: number, random: Random): Habit {
  if (index === 0) return { user, comes: 1, late: 0, drops: 0, talks: 0 }
  // Most listen; the few who speak often speak very often.
  const talks = 1 / (1 + ((index * 7) % 37)) ** 1.1
  return { user, comes: 0.4 + 0.58 * random.next(), late: random.next() ** 2, drops: 0.25 * random.next(), talks }
}

function staysOf({ user, comes, late, drops }: Habit, meeting: HistoryMeeting, random: Random): Period[] {
  if (random.next() > comes) return []
  const { began_at, minutes } = meeting
  const end = began_at + minutes * MINUTE_MS
  const isLate = random.next() < late
  const from = began_at + MINUTE_MS * (isLate ? random.between(2, 16) : random.between(-6, 1))
  const leavesEarly = random.next() < late / 2
  const to = leavesEarly ? end - MINUTE_MS * (3 + minutes * 0.4 * random.next()) : end + MINUTE_MS * 2 * random.next()
  if (to - from < 2 * MINUTE_MS) return []
  if (random.next() > drops) return [{ user, from, to }]
  const dropped = from + (to - from) * random.between(0.2, 0.8)
  return [
    { user, from, to: dropped },
    { user, from: Math.min(to, dropped + MINUTE_MS * random.between(0.3, 2.3)), to },
  ]
}

/** Turns of those who are there: every other turn is the first user's, who answers. */
function speechesOf(
  habits: readonly Habit[],
  stays: readonly Period[],
  { began_at, minutes }: HistoryMeeting,
  { turnSeconds, random }: { turnSeconds: number; random: Random },
): Period[] {
  const talks = new Map(habits.map(({ user, talks: weight }) => [user, weight]))
  const leader = stays[0]
  if (!leader) return []
  const end = began_at + minutes * MINUTE_MS
  const speeches: Period[] = []
  let isLeaders = true
  for (let at = began_at + 20_000; at < end - 30_000; ) {
    const seconds = turnSeconds * (isLeaders ? 1.6 : 1) * random.between(0.3, 1.7)
    const to = at + Math.max(2, seconds) * 1_000
    const { user } = isLeaders ? leader : (chosen(stays, at, to, talks, random) ?? leader)
    if (to < end) speeches.push({ user, from: at, to })
    at = to + 1_000 + 6_000 * random.next() * Math.min(1, turnSeconds / 30)
    isLeaders = !isLeaders
  }
  return speeches
}

/** Two who were silent until the end wait with a raised hand. */
function handsOf(stays: readonly Period[], speeches: readonly Period[], meeting: HistoryMeeting): Hand[] {
  const end = meeting.began_at + meeting.minutes * MINUTE_MS
  const spoke = new Set(speeches.map(({ user }) => user))
  const silent = stays.filter(({ user, to }) => !spoke.has(user) && to >= end)
  return silent.slice(-2).map(({ user, from }, index) => {
    const raised = Math.max(from + MINUTE_MS, end - MINUTE_MS * (index === 0 ? 9.4 : 3.7))
    return { user, meeting, from: Math.min(raised, end - MINUTE_MS), to: end }
  })
}

/** Chooses one who is there during the turn. */
function chosen(
  stays: readonly Period[],
  from: number,
  to: number,
  talks: ReadonlyMap<HistoryUser, number>,
  random: Random,
): Period | undefined {
  const there = stays.filter((stay) => stay.from < from && stay.to > to)
  const weightOf = ({ user }: Period) => talks.get(user) ?? 0
  let rest = random.next() * there.reduce((sum, stay) => sum + weightOf(stay), 0)
  return there.find((stay) => {
    rest -= weightOf(stay)
    return rest < 0
  })
}

function actsOf(
  stays: readonly Period[],
  { began_at, minutes }: HistoryMeeting,
  { actsPerMeeting, random }: { actsPerMeeting: number; random: Random },
): Act[] {
  const [first] = stays
  if (!first) return []
  const count = Math.round(actsPerMeeting * random.between(0.4, 1.6))
  return Array.from({ length: count }, () => ({
    action: random.pick(ACTS) ?? ACTS[0],
    user: (random.pick(stays) ?? first).user,
    at: began_at + MINUTE_MS * minutes * random.next(),
  })).sort((one, other) => one.at - other.at)
}
