import { expect, test } from 'vitest'
import { buildRoomState } from '../../../../test/factories/random-changes.ts'
import type { RoomChange } from './room-change.ts'
import { decodeRoom, encodeRoom } from './room-codec.ts'
import { RoomState } from './room-state.ts'
import { QUIET_MS } from './spoken.ts'

const by = { id: 'h', name: 'host' }
const word = (id: string, user_id: string | null = null, asks = false): RoomChange => ({
  type: 'word',
  word: { id, user_id, text: `Text of ${id}`, rings: false, asks, by, at: 1_000 },
})
const confirm = (id: string, of: string, answer: 'well' | 'badly' | null = null): RoomChange => ({
  type: 'word-confirmed',
  id,
  word: of,
  answer,
})
const shownTo = (room: RoomState, id: string) => room.words.forPhone(id).list.map((one) => one.id)
const counted = (room: RoomState) =>
  room.words.forConsoles(room.participants).map(({ id, read, of, well, badly }) => [id, read, of, well, badly])

function buildRoom(...changes: RoomChange[]): RoomState {
  const room = buildRoomState()
  for (const id of ['a', 'b']) room.apply({ type: 'online', id, at: 1_000 })
  for (const change of changes) room.apply(change)
  return room
}

test('a word to the room stands on every phone, also on later ones, and one to a user before it', () => {
  const room = buildRoom()
  const { words } = room.apply(word('w1'))
  expect(words).toMatchObject([{ to: 'room', word: { id: 'w1', text: 'Text of w1', answer: null } }])
  expect(room.apply(word('w2', 'a')).words).toMatchObject([{ to: 'user', user_id: 'a', word: { id: 'w2' } }])
  expect(['a', 'b', 'c', 'host'].map((id) => shownTo(room, id))).toEqual([['w2', 'w1'], ['w1'], ['w1'], ['w1']])
})

test('a new word takes the place of the one before, with none of its confirmations', () => {
  const room = buildRoom(word('w1'), confirm('a', 'w1'), word('w2'))
  expect(counted(room)).toEqual([['w2', 0, 2, 0, 0]])
  expect(shownTo(room, 'a')).toEqual(['w2'])
  room.apply(confirm('a', 'w1')) // a late press
  expect(shownTo(room, 'a')).toEqual(['w2'])
})

test('a word that is read leaves that phone, and a repeated press counts once', () => {
  const room = buildRoom(word('w1'), confirm('a', 'w1'), confirm('a', 'w1'), confirm('nobody', 'w1'))
  expect(counted(room)).toEqual([['w1', 1, 2, 0, 0]])
  expect(['a', 'b'].map((id) => shownTo(room, id))).toEqual([[], ['w1']])
  room.apply({ type: 'offline', users: [{ id: 'a', at: 2_000 }] })
  expect(counted(room)).toEqual([['w1', 1, 2, 0, 0]]) // who has read it is counted after leaving too
})

test('the last answer of a user counts, and the word stays until it is read', () => {
  const room = buildRoom(word('w1', null, true), confirm('a', 'w1', 'well'), confirm('b', 'w1', 'well'))
  room.apply(confirm('a', 'w1', 'badly'))
  expect(counted(room)).toEqual([['w1', 2, 2, 1, 1]])
  expect(room.words.forPhone('a').list).toMatchObject([{ id: 'w1', answer: 'badly' }])
  room.apply(confirm('a', 'w1'))
  expect(shownTo(room, 'a')).toEqual([])
  expect(counted(room)).toEqual([['w1', 2, 2, 1, 1]])
})

test('the host’s own phone confirms too, and is not counted', () => {
  const room = buildRoom(word('w1', null, true), confirm('host', 'w1', 'badly'), confirm('host', 'w1'))
  expect(counted(room)).toEqual([['w1', 0, 2, 0, 0]])
  expect(shownTo(room, 'host')).toEqual([])
})

test('nobody confirms the word of another user, nor answers one that does not ask', () => {
  const room = buildRoom(word('w1', 'a'), word('w2', 'b', true), confirm('b', 'w1'), confirm('a', 'w1', 'well'))
  room.apply(confirm('a', 'w2', 'well'))
  expect(counted(room)).toEqual([
    ['w1', 0, 1, 0, 0],
    ['w2', 0, 1, 0, 0],
  ])
})

test('only the word that is named is taken back', () => {
  const room = buildRoom(word('w1'), word('w2', 'a'), word('w3'))
  expect(room.apply({ type: 'word-over', id: 'w1' }).words).toEqual([]) // replaced before
  const { words } = room.apply({ type: 'word-over', id: 'w2' })
  expect(words).toMatchObject([{ to: 'user', user_id: 'a', word: null }])
  expect(shownTo(room, 'a')).toEqual(['w3'])
})

test('the list of consoles changes once for a crowd of confirmations', () => {
  const room = buildRoom(word('w1'))
  const { version } = room
  const seen = ['a', 'b'].map((id) => {
    room.apply(confirm(id, 'w1'))
    return [room.version, room.hasUnpublishedConfirmations]
  })
  expect(seen).toEqual([
    [version, true],
    [version, true],
  ])
  for (const _ of [1, 2]) room.apply({ type: 'flush-words' })
  expect([room.version, room.hasUnpublishedConfirmations]).toEqual([version + 1, false])
})

test('a phone can tell which of two answers is newer', () => {
  const room = buildRoom()
  const number = () => Number(room.words.forPhone('a').as_of.split('-')[1])
  const numbers = [word('w1', null, true), confirm('a', 'w1', 'well'), confirm('a', 'w1'), word('w2')].map((change) => {
    const [event] = room.apply(change).words
    if (event) expect(event.as_of).toBe(room.words.forPhone('a').as_of)
    return number()
  })
  expect(numbers).toEqual([1, 2, 3, 4])
})

test('words end with the meeting at Zoom, and not with its start', () => {
  const room = buildRoom(word('w1'), word('w2', 'a'))
  room.apply({ type: 'meeting-runs', is_running: true, sitting: 'one' })
  expect(shownTo(room, 'a')).toEqual(['w2', 'w1'])
  const { words } = room.apply({ type: 'meeting-runs', is_running: false, sitting: null })
  expect(words).toMatchObject([{ word: null }, { word: null }])
  expect([shownTo(room, 'a'), counted(room)]).toEqual([[], []])
})

test('words end once the room has been empty for half an hour, and not when all phones drop for a moment', () => {
  const empty: RoomChange = { type: 'offline', users: ['a', 'b'].map((id) => ({ id, at: 5_000 })) }
  const room = buildRoom(word('w1'), empty)
  room.apply({ type: 'online', id: 'a', at: 5_000 + QUIET_MS - 1 })
  expect(shownTo(room, 'a')).toEqual(['w1'])
  room.apply({ type: 'offline', users: [{ id: 'a', at: 5_000 + QUIET_MS }] })
  const { words } = room.apply({ type: 'online', id: 'b', at: 5_000 + 2 * QUIET_MS })
  expect(words).toMatchObject([{ to: 'room', word: null }])
  expect(shownTo(room, 'b')).toEqual([])
})

test('a word that is sent to an empty room waits for its users', () => {
  const room = buildRoomState()
  room.apply(word('w1'))
  room.apply({ type: 'online', id: 'a', at: 5 * QUIET_MS })
  expect(shownTo(room, 'a')).toEqual(['w1'])
})

test('a user who is removed takes the own word and confirmations away', () => {
  const room = buildRoom(word('w1'), word('w2', 'a'), confirm('a', 'w1'), word('w3', 'nobody'))
  room.apply({ type: 'remove', id: 'a', at: 2_000 })
  expect(counted(room)).toEqual([['w1', 0, 1, 0, 0]])
  expect(room.toSnapshot().words?.words).toMatchObject([{ word: { id: 'w1' }, read: [] }])
})

test('another server continues with the same words, and with those of a release that knows none', () => {
  const room = buildRoom(word('w1', null, true), word('w2', 'b'), confirm('a', 'w1', 'badly'), confirm('b', 'w1'))
  const other = new RoomState(decodeRoom(encodeRoom(room.toSnapshot())))
  expect(counted(other)).toEqual(counted(room))
  expect(other.words.forPhone('a')).toEqual(room.words.forPhone('a'))
  expect(other.hasUnpublishedConfirmations).toBe(true)
  const { words: _, wordsConfirmed: _flag, ...former } = room.toSnapshot()
  expect(new RoomState(former).words.forPhone('a').list).toEqual([])
})
