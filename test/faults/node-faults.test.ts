import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Random, seededRandom } from '../../simulator/random.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { Console } from './console.ts'
import { FAULTS } from './faults.ts'
import { Rounds } from './rounds.ts'
import { type Round, tableOf } from './rounds-table.ts'
import { openUsedRoom, type UsedRoom } from './used-room.ts'

/** Set by bin/test-faults.ts: all faults, or those named. Without it, a few rounds of short ones. */
const CHOSEN = process.env.FAULTS
const NAMES = CHOSEN ? CHOSEN.split('\n') : Object.keys(FAULTS).filter((name) => CHOSEN === '' || FAULTS[name]?.isShort)
const ROUNDS = Number(process.env.FAULT_ROUNDS || (CHOSEN === undefined ? 3 : NAMES.length))
const SEED = process.env.FAULT_SEED ?? String(Math.floor(Math.random() * 2 ** 31))

let cluster: Cluster
let room: UsedRoom
let consoles: Console[]

beforeAll(async () => {
  cluster = await startCluster(3, { canFillDisks: CHOSEN !== undefined })
  room = await openUsedRoom(cluster)
  consoles = [new Console(cluster.port, room), new Console(cluster.port, room)]
})
afterAll(async () => {
  await Promise.all((consoles ?? []).map((one) => one.close()))
  room?.close()
  await cluster?.close()
})

test(`what was acknowledged lasts, and all agree, whatever fails (FAULT_SEED=${SEED})`, {
  timeout: (ROUNDS + 2) * (CHOSEN === undefined ? 60_000 : 180_000),
}, async () => {
  expect(Object.keys(FAULTS)).toEqual(expect.arrayContaining(NAMES))
  const random = seededRandom(SEED)
  const rounds = new Rounds(cluster, room, consoles)
  const played: Round[] = []
  let order: string[] = []
  try {
    for (let round = 0; round < ROUNDS; round++) {
      if (order.length === 0) order = shuffled(NAMES, random)
      played.push(await rounds.play(order.pop() ?? '', random.fork(`round ${round}`)))
    }
  } finally {
    process.stdout.write(`\n${tableOf(played)}`)
  }
  for (const one of consoles) await one.close()
  expect(consoles.map(({ record }) => record.faults)).toEqual([[], []])
  expect(room.phones.map(({ state }) => state.ended)).toEqual(room.phones.map(() => null))
})

function shuffled(names: readonly string[], random: Random): string[] {
  const places = new Map(names.map((name) => [name, random.next()]))
  return names.toSorted((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0))
}
