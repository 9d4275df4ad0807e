import { availableParallelism } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { type Benchmark, formatMs, type GoalResult, goalUnder, ratioAtMost, withoutGoal } from '../benchmark.ts'
import { collectGarbage } from '../collect-garbage.ts'
import { CHANGES, CHANGES_PER_SECOND, HandRaisers, measureRedisHop } from '../nodes/changes.ts'
import { divideCosts, measureCosts } from '../nodes/costs.ts'
import {
  type Installation,
  type Installations,
  openAllStreams,
  totalCpuSeconds,
  withInstallations,
} from '../nodes/installations.ts'
import { residentMb } from '../process-stats.ts'
import { interleave, median, quantile } from '../statistics.ts'
import { formatKb, HEAP_SETTLE_MS, MAX_KB_PER_STREAM, muteAllOf, openPhonesAt } from '../streams.ts'

const PHONES = 1_000
const WAY_MS = 25

const MANY = 5_000
const MUTE_ALL_RATIO = 1.3
/** These rounds let framework and database be JIT-compiled. */
const WARM_UPS = 30
const ROUNDS = 15

/** Compares three servers on PostgreSQL and Redis with a single one without Redis. */
export const nodes: Benchmark = {
  name: 'nodes',
  run: async () => [
    ...(await withInstallations(PHONES, measureChanges)),
    ...(await withInstallations(MANY, measureMuteAll)),
    await withInstallations(MANY, measureMemory),
  ],
}

async function measureChanges({ several, one, redis, clients }: Installations): Promise<GoalResult[]> {
  const hops = await measureRedisHop(redis)
  const costAt = async (installation: Installation) => {
    await openAllStreams(clients, installation)
    const hands = await HandRaisers.open(installation)
    await hands.move(true) // warms the code up
    let ways: number[] = []
    const costs = await measureCosts(redis, installation, async () => {
      ways = await hands.move(false)
    })
    hands.close()
    return { ...divideCosts(costs, CHANGES), ways }
  }
  const [alone, { ways, ...shared }] = [await costAt(one), await costAt(several)]
  const inBytes = (count: number) => `${(count / 1_000).toFixed(1)} kB`
  return [
    goalUnder(
      `change at one node to console at another, p99 (${CHANGES_PER_SECOND}/s)`,
      quantile(ways, 0.99),
      WAY_MS,
      formatMs,
      {
        limit: `${formatMs(quantile(hops, 0.99))} hop`,
        note: `${PHONES.toLocaleString('en')} phones; p50 ${formatMs(median(ways))}, of a Redis hop (XADD to a blocked XREAD) ${formatMs(median(hops))}`,
      },
    ),
    withoutGoal('CPU time of all three nodes by change (limit: one)', formatMs(shared.serverMs), {
      limit: formatMs(alone.serverMs),
      ratio: shared.serverMs / alone.serverMs,
    }),
    withoutGoal("Redis' CPU time by change", `${shared.redisMs.toFixed(2)} ms`, {
      note: `${shared.commands.toFixed(1)} commands, ${inBytes(shared.bytesIn)} to Redis and ${inBytes(shared.bytesOut)} from it`,
    }),
  ]
}

async function measureMuteAll({ several, one, clients }: Installations): Promise<GoalResult[]> {
  for (const installation of [several, one]) await openAllStreams(clients, installation)
  const turnsAt = (installation: Installation) => {
    const { name, first, room } = installation
    const { muteAll, unmuteAll } = muteAllOf(clients, { group: name, port: first.port, token: room.token })
    const cpu: number[] = []
    const turn = async () => {
      const before = totalCpuSeconds(installation)
      const ms = await muteAll()
      await unmuteAll()
      cpu.push(((totalCpuSeconds(installation) - before) * 1_000) / 2)
      return ms
    }
    return { turn, cpu: () => median(cpu.slice(-ROUNDS)) }
  }
  const [shared, alone] = [turnsAt(several), turnsAt(one)]
  for (let count = 0; count < WARM_UPS; count++) {
    await shared.turn()
    await alone.turn()
  }
  const compared = await interleave(ROUNDS, { product: shared.turn, limit: alone.turn })
  const path = `Mute All to ${MANY.toLocaleString('en')} phones at three nodes (limit: at one)`
  const note = `nodes and phones share ${availableParallelism()} cores, so the sum of their work counts`
  return [
    ratioAtMost(path, compared, MUTE_ALL_RATIO, formatMs, note),
    withoutGoal('CPU time of all three nodes by Mute All (limit: one)', formatMs(shared.cpu()), {
      limit: formatMs(alone.cpu()),
      ratio: shared.cpu() / alone.cpu(),
    }),
  ]
}

/**
 * Measures memory for each phone on one node. A tenth of the phones connects first, so that what is allocated once does
 * not count. Collects garbage before measuring, since V8 would do so at any time.
 */
async function measureMemory({ several, one, clients }: Installations): Promise<GoalResult> {
  const kbAt = async ({ name: group, first, room: { room_id, phones } }: Installation) => {
    const { port, pid } = first
    await openPhonesAt(clients, { group, port, room_id, phones: phones.slice(0, MANY / 10) })
    await delay(HEAP_SETTLE_MS)
    await collectGarbage(first)
    const before = residentMb(pid)
    const others = phones.slice(MANY / 10)
    await openPhonesAt(clients, { group, port, room_id, phones: others })
    await delay(HEAP_SETTLE_MS)
    const kb = () => ((residentMb(pid) - before) * 1024) / others.length
    const uncollected = kb()
    await collectGarbage(first)
    return { kb: kb(), uncollected }
  }
  const path = `memory a stream (${MANY.toLocaleString('en')} phones at one of three nodes)`
  const [alone, { kb, uncollected }] = [await kbAt(one), await kbAt(several)]
  const note = `after garbage was collected; ${formatKb(uncollected)} before, at one ${formatKb(alone.uncollected)}`
  return goalUnder(path, kb, MAX_KB_PER_STREAM, formatKb, { limit: `${formatKb(alone.kb)} at one`, note })
}
