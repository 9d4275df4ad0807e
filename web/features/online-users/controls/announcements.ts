import type { RoomUser } from '../../../../shared/room-users.ts'

type Announced = Pick<RoomUser, 'id' | 'username' | 'asleep' | 'is_muted' | 'wants_to_speak'>

/** Words one sentence per kind of change; more than three names become a number. */
export function announcements(before: readonly Announced[], after: readonly Announced[]): string {
  const known = new Map(before.map((user) => [user.id, user]))
  const hands: string[] = []
  const muted: string[] = []
  const unmuted: string[] = []
  const asleep: string[] = []
  const awake: string[] = []
  for (const user of after) {
    const was = known.get(user.id)
    if (!was) continue
    if (user.wants_to_speak && !was.wants_to_speak) hands.push(user.username)
    if (user.is_muted && !was.is_muted) muted.push(user.username)
    if (!user.is_muted && was.is_muted) unmuted.push(user.username)
    if (user.asleep && !was.asleep) asleep.push(user.username)
    if (!user.asleep && was.asleep) awake.push(user.username)
  }
  const count = (names: string[], is: string, are: string) => sentence(names, after.length, is, are)
  return [
    count(hands, 'wants to speak', 'want to speak'),
    count(muted, 'is muted', 'are muted'),
    count(unmuted, 'is unmuted', 'are unmuted'),
    count(asleep, 'is not answering', 'are not answering'),
    count(awake, 'answers again', 'answer again'),
  ]
    .filter(Boolean)
    .join(' ')
}

function sentence(names: string[], all: number, is: string, are: string): string {
  if (names.length === 0) return ''
  if (names.length === 1) return `${names[0]} ${is}.`
  if (names.length <= 3) return `${names.slice(0, -1).join(', ')} and ${names.at(-1)} ${are}.`
  return `${names.length === all ? 'All ' : ''}${names.length.toLocaleString('en')} users ${are}.`
}
