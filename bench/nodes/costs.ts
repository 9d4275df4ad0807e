import { setTimeout as delay } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import { type Installation, totalCpuSeconds } from './installations.ts'

/** CPU time in milliseconds, and the counters of Redis. */
export type Costs = Record<'serverMs' | 'redisMs' | 'commands' | 'bytesIn' | 'bytesOut', number>

/** Measures the cost of the work alone: subtracts what the servers, where phones report, cost at rest over the same time. */
export async function measureCosts(
  redis: Redis,
  installation: Installation,
  work: () => Promise<unknown>,
): Promise<Costs> {
  const began = performance.now()
  const busy = await measureCostsOf(redis, installation, work)
  const ms = performance.now() - began
  const rest = await measureCostsOf(redis, installation, () => delay(ms))
  return combine(busy, rest, (one, other) => one - other)
}

export function divideCosts(costs: Costs, count: number): Costs {
  return combine(costs, costs, (cost) => cost / count)
}

export async function measureCostsOf(
  redis: Redis,
  installation: Installation,
  work: () => Promise<unknown>,
): Promise<Costs> {
  const before = await read(redis, installation)
  await work()
  return combine(await read(redis, installation), before, (after, from) => after - from)
}

async function read(redis: Redis, installation: Installation): Promise<Costs> {
  const info = `${await redis.info('stats')}${await redis.info('cpu')}`
  const value = (name: string) => Number(new RegExp(`^${name}:([0-9.]+)`, 'm').exec(info)?.[1])
  return {
    serverMs: totalCpuSeconds(installation) * 1_000,
    redisMs: (value('used_cpu_user') + value('used_cpu_sys')) * 1_000,
    commands: value('total_commands_processed'),
    bytesIn: value('total_net_input_bytes'),
    bytesOut: value('total_net_output_bytes'),
  }
}

function combine(one: Costs, other: Costs, how: (one: number, other: number) => number): Costs {
  return {
    serverMs: how(one.serverMs, other.serverMs),
    redisMs: how(one.redisMs, other.redisMs),
    commands: how(one.commands, other.commands),
    bytesIn: how(one.bytesIn, other.bytesIn),
    bytesOut: how(one.bytesOut, other.bytesOut),
  }
}
