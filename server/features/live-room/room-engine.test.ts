import { describe, expect, test } from 'vitest'
import { InProcessEngine } from './in-process-engine.ts'
import type { RoomChange, SharedRoom } from './room-change.ts'
import type { Follower, RoomEngine } from './room-engine.ts'

/** Two nodes of one installation, as each kind of engine connects them. */
const ENGINES: [string, () => [RoomEngine, RoomEngine]][] = [
  [
    'in process',
    () => {
      const engine = new InProcessEngine()
      return [engine, engine]
    },
  ],
]

/** Remembers what it was told, which is all the state that it has. */
class Diary implements Follower {
  readonly told: string[]
  readonly own: string[] = []

  constructor(shared: SharedRoom | null) {
    this.told = shared ? JSON.parse(shared.epoch) : []
  }

  apply(change: RoomChange, isOwn: boolean): void {
    const text = JSON.stringify(change)
    this.told.push(text)
    if (isOwn) this.own.push(text)
  }

  share(): SharedRoom {
    const { told } = this
    const epoch = JSON.stringify(told)
    return { id: 'room', epoch, seq: told.length, version: 0, hostMuteAll: false, meetingId: null, participants: [] }
  }
}

const sit = (engine: RoomEngine, room = 'room') => engine.join(room, async (shared) => new Diary(shared))
const change = (name: string): RoomChange => ({ type: 'came', id: name, at: 0 })
const tick = () => new Promise((resolve) => setImmediate(resolve))

describe.each(ENGINES)('rooms %s', (_name, connect) => {
  test('a change has been applied where it was brought when the call is over, and is known as its own there alone', async () => {
    const [one, other] = connect()
    const [seat, diary] = await sit(one)
    const [, others] = await sit(other)
    await seat.append(change('a'))
    expect(diary.told).toEqual([JSON.stringify(change('a'))])
    expect(diary.own).toEqual(diary.told)
    await expect.poll(() => others.told).toEqual(diary.told)
    expect(others.own).toEqual([])
  })

  test('all seats hear all changes in one order, whoever brings them', async () => {
    const [one, other] = connect()
    const seats = await Promise.all([sit(one), sit(other), sit(other)])
    const appended = Array.from({ length: 600 }, async (_, n) => {
      if (n % 7 === 0) await tick()
      await seats[n % 3]?.[0].append(change(`${n}`))
    })
    await Promise.all(appended)
    const [first, second, third] = seats.map(([, diary]) => diary)
    await expect.poll(() => second?.told.length).toBe(600)
    await expect.poll(() => third?.told.length).toBe(600)
    expect(second?.told).toEqual(first?.told)
    expect(third?.told).toEqual(first?.told)
    expect(new Set(first?.told).size).toBe(600)
    expect(first?.own).toHaveLength(200)
    const places = (second?.own ?? []).map((text) => Number(JSON.parse(text).id) % 3)
    expect(new Set(places)).toEqual(new Set([1]))
  })

  test('a seat that is taken late goes on from where the others are, and misses nothing meanwhile', async () => {
    const [one, other] = connect()
    const [seat, diary] = await sit(one)
    await seat.append(change('before'))
    const begun = Promise.withResolvers<void>()
    const go = Promise.withResolvers<void>()
    const joining = other.join('room', async (shared) => {
      begun.resolve()
      await go.promise
      return new Diary(shared)
    })
    await begun.promise
    await seat.append(change('meanwhile'))
    go.resolve()
    const [late, latest] = await joining
    await seat.append(change('after'))
    await expect.poll(() => latest.told).toEqual(diary.told)
    expect(diary.told.map((text) => JSON.parse(text).id)).toEqual(['before', 'meanwhile', 'after'])
    await late.append(change('its own'))
    await expect.poll(() => diary.told.length).toBe(4)
  })

  test('a sign of life is known at all seats, the latest of each phone', async () => {
    const [one, other] = connect()
    const [[seat], [othersSeat]] = await Promise.all([sit(one), sit(other)])
    seat.seen('a', 150)
    othersSeat.seen('b', 200)
    othersSeat.seen('a', 50) // an older sign, told later, is none
    const all = new Map([
      ['a', 150],
      ['b', 200],
    ])
    await expect.poll(() => seat.lastSeen(['a', 'b', 'c'])).toEqual(all)
    await expect.poll(() => othersSeat.lastSeen(['a', 'b', 'c'])).toEqual(all)
  })

  test('the others hear of a seat that was given up; after the last one the room begins anew', async () => {
    const [one, other] = connect()
    const [[seat], [othersSeat, others]] = await Promise.all([sit(one), sit(other)])
    await seat.append(change('a'))
    await seat.leave()
    await expect.poll(() => others.told.at(-1)).toBe(JSON.stringify({ type: 'seat-lost', seat: seat.id }))
    expect(seat.id).not.toBe(othersSeat.id)
    await othersSeat.leave()
    const [, anew] = await sit(one)
    expect(anew.told).toEqual([])
  })

  test('a seat whose begin fails was never taken, and keeps nobody from the next', async () => {
    const [one, other] = connect()
    const failing = one.join('room', () => Promise.reject(new Error('no database')))
    await expect(failing).rejects.toThrow('no database')
    const [seat, diary] = await sit(other)
    await seat.append(change('a'))
    expect(diary.told).toContain(JSON.stringify(change('a')))
  })

  test('one room hears nothing of another', async () => {
    const [one] = connect()
    const [[seat], [, others]] = await Promise.all([sit(one, 'room'), sit(one, 'another')])
    await seat.append(change('a'))
    expect(others.told).toEqual([])
  })
})
