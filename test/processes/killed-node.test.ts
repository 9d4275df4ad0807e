import { beforeAll, expect, test } from 'vitest'
import { eventually } from '../eventually.ts'
import { type ReceivedEvent, type RoomOnNodes, startRoomOnNodes } from './room-on-nodes.ts'

const PEOPLE = 500

let shared: RoomOnNodes
beforeAll(async () => {
  shared = await startRoomOnNodes(3, PEOPLE)
  return () => shared.close()
})

test('a node is killed in the middle of a Mute All: all phones obey, once, and everything agrees', async () => {
  const { nodes, phones, consoles, received, db, room } = shared
  const ends = [...received, ...consoles].map((events) => events.length)
  const later = () => [...received, ...consoles].map((events, index) => events.slice(ends[index]))

  const muting = shared.muteAll(0, 'mute')
  await nodes[2]?.kill('SIGKILL') // before the change reaches it
  expect(await muting).toBe(200)
  await expectAll(true, [0, 1])
  expect(shared.lostStreams()).toBeGreaterThan(0)

  await shared.restart(2)
  expect(await shared.muteAll(1, 'unmute')).toBe(200)
  await expectAll(false, [0, 1, 2])

  const firstPhones = Promise.race(phones.map((phone) => phone.waitForEvent(isMuteAll)))
  const answer = shared.muteAll(0, 'mute').catch(() => null) // its own node is killed
  await firstPhones
  await nodes[0]?.kill('SIGKILL')
  await answer
  await expectAll(true, [1, 2])

  await eventually(() => expect(idsOf(later().at(-1))).toEqual(idsOf(later().at(-2))))
  const [first = []] = later()
  expect(muteAlls(first).map(({ active }) => active)).toEqual([true, false, true])
  for (const events of later()) {
    expect(muteAlls(events)).toEqual(muteAlls(first))
    expect(new Set(idsOf(events)).size).toBe(idsOf(events).length)
    expect(events.filter(({ name, data }) => name === 'user-online' && !data.is_online)).toEqual([])
  }
  const stored = db.selectFrom('rooms').select(['host_mute_all_active', 'mute_round']).where('id', '=', room.room_id)
  expect(await stored.execute()).toEqual([{ host_mute_all_active: true, mute_round: 3 }])
  const audited = db
    .selectFrom('audit')
    .select('action')
    .where('action', 'in', ['mute_all', 'unmute_all'])
    .orderBy('at')
  expect((await audited.execute()).map(({ action }) => action)).toEqual(['mute_all', 'unmute_all', 'mute_all'])
})

const isMuteAll = ({ name }: ReceivedEvent) => name === 'host-mute-all'
const muteAlls = (events: ReceivedEvent[]) =>
  events.flatMap(({ id, name, data }) => (name === 'host-mute-all' ? [{ id, active: data.active }] : []))
/** Excludes the greeting of each stream. */
const idsOf = (events: ReceivedEvent[] = []) => events.filter(({ name }) => name !== 'test').map(({ id }) => id)

async function expectAll(isMuted: boolean, nodes: number[]): Promise<void> {
  await eventually(() => expect(shared.obeying(isMuted)).toHaveLength(PEOPLE))
  for (const node of nodes)
    await eventually(async () => expect(await shared.confirmed(node, isMuted)).toHaveLength(PEOPLE))
}
