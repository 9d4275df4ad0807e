import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import pLimit from 'p-limit'
import { type Benchmark, type GoalResult, withoutGoal } from '../benchmark.ts'
import { measureWaits, statusCall } from '../load.ts'
import { CHANGES, HandRaisers } from '../nodes/changes.ts'
import { type Costs, divideCosts, measureCosts, measureCostsOf } from '../nodes/costs.ts'
import { type Installation, type Installations, openAllStreams, withInstallations } from '../nodes/installations.ts'
import { residentMb } from '../process-stats.ts'
import type { SeededRoom } from '../seed-rooms.ts'
import { signInsPerSecond } from '../sign-ins.ts'
import { formatKb, HEAP_SETTLE_MS } from '../streams.ts'

const PHONES = 1_000
const LARGE = 20_000
const ROOMS = 500
const CALLS = { perSecond: 400, connections: 20, ms: 6_000 }
const REST_SECONDS = 10
/** Milliseconds for which PostgreSQL may hold its statistics back. */
const COUNTED_MS = 2_000

/** Measures everything whose cost grows: the figures behind the calculations of docs/scale.md. */
export const slopes: Benchmark = {
  name: 'slopes',
  onlyWhenNamed: true,
  run: () =>
    withInstallations(
      PHONES,
      async (both) => [
        ...(await measureSlopes(both, both.one, 'one node')),
        await measureSignIns(both.one),
        ...(await measureSlopes(both, both.several, 'three nodes')),
      ],
      [LARGE, ...Array.from({ length: ROOMS }, () => 1)],
    ),
}

async function measureSlopes({ clients, redis }: Installations, installation: Installation, at: string) {
  const { first, last, room, otherRooms } = installation
  const [large, ...small] = otherRooms
  await openAllStreams(clients, installation)

  const requests = room.phones.map(({ token }) => statusCall(first.port, token))
  const report = () => measureWaits({ port: first.port, requests, ...CALLS })
  await report() // warms the code up
  const reports = divideCosts(await measureCosts(redis, installation, report), (CALLS.ms / 1_000) * CALLS.perSecond)

  const hands = await HandRaisers.open(installation)
  await hands.move(true)
  const changes = divideCosts(await measureCosts(redis, installation, () => hands.move(false)), CHANGES)

  const users = await memoryOf(last.pid, () => load(last.port, large ? [large] : []))
  const rooms = await memoryOf(first.pid, () => load(first.port, small))
  for (const { port } of installation.servers) await load(port, small)
  const amongRooms = divideCosts(await measureCosts(redis, installation, () => hands.move(true)), CHANGES)
  hands.close()
  const rest = divideCosts(await measureCostsOf(redis, installation, () => delay(REST_SECONDS * 1_000)), REST_SECONDS)
  const begun = await transactions(installation)
  await delay(REST_SECONDS * 1_000)
  const queries = ((await transactions(installation)) - begun) / REST_SECONDS
  return [
    costs(`status call without a change, ${at}`, reports),
    costs(`change by a status call, ${at}`, changes),
    costs(`the same with ${ROOMS} more rooms in memory, ${at}`, amongRooms),
    costs(
      `second of rest with these and ${PHONES} phones, ${at}`,
      rest,
      `${queries.toFixed(1)} transactions of PostgreSQL`,
    ),
    withoutGoal(`memory of a user, room of ${LARGE.toLocaleString('en')}, ${at}`, formatKb(users / LARGE)),
    withoutGoal(`memory of a room of one user, ${at}`, formatKb(rooms / ROOMS)),
  ]
}

function costs(path: string, { serverMs, redisMs, commands, bytesIn, bytesOut }: Costs, more = ''): GoalResult {
  const inUs = (ms: number) => `${Math.round(ms * 1_000).toLocaleString('en')} µs`
  const bytes = [bytesIn, bytesOut].map((count) => `${(count / 1_000).toFixed(1)} kB`)
  const ofRedis = `Redis: ${inUs(redisMs)}, ${commands.toFixed(1)} commands, ${bytes[0]} in, ${bytes[1]} out`
  const note = [redisMs > 0.05 ? ofRedis : '', more].filter(Boolean).join('; ')
  return withoutGoal(path, inUs(serverMs), note ? { note } : {})
}

/** Loads the rooms: a server keeps a room in memory once one of its consoles polls it. */
async function load(port: number, rooms: SeededRoom[]): Promise<void> {
  await pLimit(10).map(rooms, async ({ token }) => {
    const headers = { authorization: `Bearer ${token}` }
    const answer = await fetch(`http://127.0.0.1:${port}/api/host/online-users`, { headers })
    await answer.arrayBuffer()
    if (!answer.ok) throw new Error(`A poll was answered with ${answer.status}`)
  })
}

/** Returns kB. */
async function memoryOf(pid: number, work: () => Promise<unknown>): Promise<number> {
  await delay(HEAP_SETTLE_MS)
  const before = residentMb(pid)
  await work()
  await delay(HEAP_SETTLE_MS)
  return (residentMb(pid) - before) * 1_024
}

async function measureSignIns(installation: Installation): Promise<GoalResult> {
  const { first } = installation
  const signIn = signInsPerSecond(first.port)
  await signIn()
  const before = await transactions(installation)
  const began = performance.now()
  const count = ((await signIn()) * (performance.now() - began)) / 1_000
  const perSignIn = ((await transactions(installation)) - before) / count
  return withoutGoal('transactions of PostgreSQL by sign-in of a host', perSignIn.toFixed(1))
}

async function transactions({ db, servers }: Installation): Promise<number> {
  await delay(COUNTED_MS)
  const { rows } = await sql<{ count: string }>`
    select xact_commit as count from pg_stat_database where datname = current_database()`.execute(db)
  return Number(rows[0]?.count) / servers.length
}
