import { setTimeout as delay } from 'node:timers/promises'
import { type RoomOnNodes, startRoomOnNodes } from '../../test/processes/room-on-nodes.ts'
import { type Benchmark, formatMs, goalUnder } from '../benchmark.ts'

const PEOPLE = 500
const NODES = 3
const ROUNDS = 6
const GOAL_MS = 5_000
const LOOK_MS = 10

/** Kills one of three nodes during a Mute All, alternating between another node and the console's own. */
export const killedNode: Benchmark = {
  name: 'killed-node',
  async run() {
    const shared = await startRoomOnNodes(NODES, PEOPLE)
    try {
      const times: { phones: number; servers: number }[] = []
      for (let round = 0; round < ROUNDS; round++) times.push(await measureRound(shared, round))
      const longest = (of: 'phones' | 'servers') => Math.max(...times.map((time) => time[of]))
      const path = `node killed in Mute All to ${PEOPLE}`
      const note = `the longest of ${ROUNDS}, from the kill, with phones and proxy in one process`
      return [
        goalUnder(`${path}: all phones obey`, longest('phones'), GOAL_MS, formatMs),
        goalUnder(`${path}: both other nodes show it`, longest('servers'), GOAL_MS, formatMs, { note }),
      ]
    } finally {
      await shared.close()
    }
  },
}

/** Returns milliseconds from the kill until all phones obey, and until all other nodes show their acknowledgements. */
async function measureRound(shared: RoomOnNodes, round: number): Promise<{ phones: number; servers: number }> {
  const console = round % NODES
  const killed = round % 2 === 0 ? (console + 1) % NODES : console
  const first = Promise.race(shared.phones.map((phone) => phone.waitForEvent(({ name }) => name === 'host-mute-all')))
  const answer = shared.muteAll(console, 'mute').catch(() => null) // its own node is killed
  if (killed === console) await first
  const began = performance.now()
  void shared.nodes[killed]?.kill('SIGKILL')
  const phones = await until(() => shared.obeying(true).length === PEOPLE, began)
  const others = shared.nodes.map((_, node) => node).filter((node) => node !== killed)
  const shows = await Promise.all(others.map((node) => isShownBy(shared, node, true, began)))
  await answer
  await shared.restart(killed)
  await shared.muteAll(killed, 'unmute')
  await Promise.all(shared.nodes.map((_, node) => isShownBy(shared, node, false, began)))
  return { phones, servers: Math.max(...shows) }
}

const isShownBy = (shared: RoomOnNodes, node: number, isMuted: boolean, began: number) =>
  until(async () => (await shared.confirmed(node, isMuted)).length === PEOPLE, began)

async function until(holds: () => boolean | Promise<boolean>, began: number): Promise<number> {
  while (!(await holds())) await delay(LOOK_MS)
  return performance.now() - began
}
