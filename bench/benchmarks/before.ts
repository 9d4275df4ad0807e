import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { dataFolder, PROGRAM, type ServerProcess } from '../../test/servers/server-process.ts'
import { type Benchmark, perSecond, ratioAtLeast } from '../benchmark.ts'
import { bringOnline, startProduct } from '../fixtures.ts'
import { Connection, measureRate, requestText } from '../load.ts'
import { cpuSeconds } from '../process-stats.ts'
import type { SeededRoom } from '../seed-rooms.ts'
import { type Comparison, interleave, median } from '../statistics.ts'
import { STATUS } from './status.ts'

const PEOPLE = 200
const GOAL = 0.97
const CONNECTIONS = 40
const WARM_UP_MS = 1_500
const ROUNDS = 12
const STATUS_INTERVAL_MS = 5_000 // phones that send none go offline
const ROUND_MS = 200
const LIST = '/api/host/online-users'
const SEED = `
  const { seedRooms } = await import(process.argv[1])
  process.stdout.write(JSON.stringify(await seedRooms(process.argv[2], [${PEOPLE}])))`

/** Many, since a process is often 10 % quicker or slower than the next of the same release. */
const STARTS = 9

interface Release {
  server: ServerProcess & { pid: number }
  room: SeededRoom
  end(): Promise<void>
}

interface Call {
  path: string
  status: number
  requestFor(release: Release): Promise<string>
}

/** Compares two releases in turns. `BENCH_BEFORE` names a clone of the former one with its packages installed. */
export const before: Benchmark = {
  name: 'before',
  onlyWhenNamed: true,
  run: async () => {
    const folder = process.env.BENCH_BEFORE
    if (!folder) throw new Error('Set BENCH_BEFORE to a folder with an installed clone of the release before.')
    const formerProgram = new URL('server/main.ts', pathToFileURL(`${resolve(folder)}/`))
    const starts = new Map<string, Comparison[]>()
    for (let start = 0; start < STARTS; start++) {
      const [former, present] = [await startRelease(formerProgram), await startRelease(PROGRAM)]
      try {
        for (const call of CALLS)
          starts.set(call.path, [...(starts.get(call.path) ?? []), await compare(call, former, present)])
      } finally {
        await Promise.all([former.end(), present.end()])
      }
    }
    return [...starts].map(([path, compared]) => reportOf(path, compared))
  },
}

/** Seeds with the release's own code, since an older one refuses a newer one's database. */
async function startRelease(program: URL): Promise<Release> {
  const data = await dataFolder()
  const seedModule = new URL('../bench/seed-rooms.ts', program).href
  const args = ['--input-type=module', '--eval', SEED, seedModule, data.path]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  const [room]: SeededRoom[] = JSON.parse(stdout)
  if (!room) throw new Error('No room was seeded')
  const server = await startProduct(data.path, {}, program)
  await bringOnline({ product: server }, room)
  const stay = () => void bringOnline({ product: server }, room).catch(() => {}) // the server may be ending
  const staying = setInterval(stay, STATUS_INTERVAL_MS)
  const end = async () => {
    clearInterval(staying)
    await server.kill('SIGTERM')
    await data.remove()
  }
  return { server, room, end }
}

async function compare({ status, requestFor }: Call, former: Release, present: Release): Promise<Comparison> {
  const rateOf = async (release: Release) => {
    const { pid, port } = release.server
    const connections = Array.from({ length: CONNECTIONS }, () => new Connection(port))
    const request = await requestFor(release)
    return (ms: number) => measureRate(connections, request, { status, ms, clock: () => cpuSeconds(pid) })
  }
  const [limit, product] = [await rateOf(former), await rateOf(present)]
  await limit(WARM_UP_MS)
  await product(WARM_UP_MS)
  return interleave(ROUNDS, { limit: () => limit(ROUND_MS), product: () => product(ROUND_MS) })
}

function reportOf(path: string, compared: Comparison[]) {
  const ratios = compared.map(({ ratio }) => ratio).toSorted((a, b) => a - b)
  const limit = median(compared.map((one) => one.limit))
  const product = median(compared.map((one) => one.product))
  const spread = `${STARTS} starts of each: ${ratios.map((ratio) => ratio.toFixed(2)).join(', ')}`
  return ratioAtLeast(path, { limit, product, ratio: median(ratios) }, GOAL, perSecond, spread)
}

async function unchangedPoll({ server: { port }, room: { token } }: Release): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}${LIST}`, { headers: { authorization: `Bearer ${token}` } })
  const headers = { 'accept-encoding': 'gzip', 'if-none-match': answer.headers.get('etag') ?? '' }
  return requestText('GET', LIST, { port, token, headers })
}

async function wholePoll({ server: { port }, room: { token } }: Release): Promise<string> {
  return requestText('GET', LIST, { port, token })
}

async function statusCall({ server: { port }, room: { phones } }: Release): Promise<string> {
  return requestText('POST', '/api/mobile/status', { port, token: phones[0]?.token, body: STATUS })
}

const CALLS: Call[] = [
  { path: 'poll, unchanged (304), beside the release before', status: 304, requestFor: unchangedPoll },
  { path: `poll of ${PEOPLE} users, beside the release before`, status: 200, requestFor: wholePoll },
  { path: 'status call of a phone, beside the release before', status: 200, requestFor: statusCall },
]
