import { randomUUID } from 'node:crypto'
import type { Delivery } from '../../../shared/room-users.ts'
import { type SendWord, USER_WORDS_MAX } from '../../../shared/room-words.ts'
import type { HostActor } from '../../db/actor.ts'
import { audit } from '../../db/audit-log.ts'
import type { Deps } from '../../deps.ts'
import { AppError, notFound } from '../../errors.ts'
import { readAccountName } from '../auth/account-name.ts'
import type { LiveRoom } from '../live-room/live-room.ts'
import type { RoomChange } from '../live-room/state/room-change.ts'
import type { RoomWord } from '../live-room/state/room-words.ts'
import { writePlanned } from '../room-users/planned-change.ts'

/** Another server may commit a change of the room between this server's read of the words and its lock. */
const ATTEMPTS = 5

/** Puts a word on the phones of the room, or on that of one user, in place of the one that stands there. */
export async function sendWord(
  deps: Deps,
  by: HostActor,
  user_id: string | null,
  { text, rings, asks, expect }: SendWord,
): Promise<Delivery & { word: string }> {
  const id = randomUUID()
  return inRoom(deps, by, async (room) => {
    if (user_id !== null && !room.user(user_id)) throw notFound('User')
    const former = room.words.find((word) => word.user_id === user_id)
    if (expect && expect.word !== (former?.id ?? null)) throw wordChanged(former)
    const dropped = user_id !== null && !former ? oneTooMany(room) : []
    const name = await readAccountName(deps.db, by)
    const word: RoomWord = { id, user_id, text, rings, asks, by: { id: by.id, name }, at: deps.now() }
    const changes: RoomChange[] = [
      ...dropped.map((old) => ({ type: 'word-over' as const, id: old })),
      { type: 'word', word },
    ]
    const written = await writePlanned(
      deps.db,
      by.host_id,
      room.changeNumber,
      async (tx, { id: room_id, change_number }) => {
        const host = await tx.selectFrom('hosts').select('is_active').where('id', '=', by.host_id).executeTakeFirst()
        if (!host?.is_active) throw new AppError('room_stopped', 'This room is stopped. Activate it first.')
        const to = user_id === null ? 'room' : 'user'
        const before = former && { text: former.text }
        await audit(deps, tx, by, {
          action: 'word_sent',
          target: user_id ?? room_id,
          before,
          after: { to, text, rings, asks },
        })
        return change_number
      },
    )
    if (written === null) return null
    await deps.rooms.commit(by.host_id, written, changes)
    deps.metrics.commands.inc({ action: 'word' })
    return { word: id, ...(await room.deliveryTo(user_id === null ? 'all users' : [user_id])) }
  })
}

/** Takes a word from the phones that have not read it. */
export async function takeWordBack(deps: Deps, by: HostActor, id: string): Promise<void> {
  await inRoom(deps, by, async (room) => {
    const word = room.words.find((one) => one.id === id)
    const standing = room.standingWords().find((one) => one.id === id)
    if (!word || !standing) throw new AppError('not_found', 'This word no longer stands.')
    const { text, user_id } = word
    const written = await writePlanned(
      deps.db,
      by.host_id,
      room.changeNumber,
      async (tx, { id: room_id, change_number }) => {
        const after = { to: user_id === null ? 'room' : 'user', read: standing.read }
        await audit(deps, tx, by, { action: 'word_taken_back', target: user_id ?? room_id, before: { text }, after })
        return change_number
      },
    )
    if (written === null) return null
    await deps.rooms.commit(by.host_id, written, [{ type: 'word-over', id }])
    return true
  })
}

/** Runs an act that returns null if the room has changed since it was read, until it does not. */
function inRoom<T>(deps: Deps, { host_id }: HostActor, act: (room: LiveRoom) => Promise<T | null>): Promise<T> {
  return deps.rooms.withRoomLock(host_id, async () => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const done = await act(await deps.rooms.getFresh(host_id))
      if (done !== null) return done
    }
    throw new AppError('busy', 'The room is busy. Please try again.')
  })
}

const wordChanged = (word: RoomWord | undefined) =>
  new AppError(
    'state_changed',
    word ? `${word.by.name} has sent a word there already.` : 'The word has been taken back already.',
  )

/** Returns the oldest word that has been read, where there is no place for another one. */
function oneTooMany(room: LiveRoom): string[] {
  const toUsers = room.standingWords().filter(({ user }) => user !== null)
  if (toUsers.length < USER_WORDS_MAX) return []
  const read = toUsers.find((word) => word.read > 0)
  if (read) return [read.id]
  throw new AppError('conflict', `Words to ${USER_WORDS_MAX} users have not been read. Take one back first.`)
}
