import { openPostgres } from '../../server/db/client.ts'
import { openFolder } from '../../server/db/embedded.ts'
import { startPostgres } from '../../test/servers/postgres.ts'
import { emptyDataFolder } from '../../test/servers/server-process.ts'
import { type Benchmark, formatMs, type GoalResult, goalUnder } from '../benchmark.ts'
import { startProduct } from '../fixtures.ts'
import { type SeededRoom, seedDatabase } from '../seed-rooms.ts'
import { median } from '../statistics.ts'
import { COMMON_WORD, MIDDLE, RARE_WORD, seedYear, yearMeetings } from '../year.ts'

const USERS = 500
const CALLS = 7
const PAGE_MS = 1_000
const SEARCH_MS = 200

/** Measures the pages of a room that met 150 times in the last year. */
export const year: Benchmark = {
  name: 'year',
  onlyWhenNamed: true,
  async run() {
    return [...(await onEmbedded()), ...(await onPostgres())]
  },
}

async function onEmbedded(): Promise<GoalResult[]> {
  const folder = await emptyDataFolder()
  try {
    const db = await openFolder(`${folder.path}/pglite`)
    const now = Date.now()
    const room = await seed(db, now)
    await db.destroy()
    return await measure(room, now, 'embedded', await startProduct(folder.path))
  } finally {
    await folder.remove()
  }
}

async function onPostgres(): Promise<GoalResult[]> {
  const [postgres, folder] = [await startPostgres(), await emptyDataFolder()]
  try {
    const DATABASE_URL = postgres.urlOf('postgres')
    const db = openPostgres(DATABASE_URL)
    const now = Date.now()
    const room = await seed(db, now)
    await db.destroy()
    return await measure(room, now, 'PostgreSQL', await startProduct(folder.path, { DATABASE_URL }))
  } finally {
    await Promise.all([postgres.stop(), folder.remove()])
  }
}

async function seed(db: Parameters<typeof seedYear>[0], now: number): Promise<SeededRoom> {
  const [room] = await seedDatabase(db, [USERS])
  if (!room) throw new Error('No room was seeded')
  await seedYear(db, room, now)
  return room
}

async function measure(
  { token }: SeededRoom,
  now: number,
  on: string,
  product: Awaited<ReturnType<typeof startProduct>>,
): Promise<GoalResult[]> {
  const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)
  const days = `from=${dayOf(now - 360 * 86_400_000)}&to=${dayOf(now)}&zone=UTC`
  const middle = yearMeetings(now)[MIDDLE]
  const before = new Date(middle?.began_at ?? now).toISOString()
  const pages: [string, string, number][] = [
    ['meetings', '/host/meetings', PAGE_MS],
    ['older meetings', `/host/meetings?before=${before}`, PAGE_MS],
    ['report of a meeting', `/host/meetings/${encodeURIComponent(middle?.uuid ?? '')}`, PAGE_MS],
    ['attendance, lists', `/host/attendance?${days}`, PAGE_MS],
    ['attendance, charts', `/host/attendance/charts?${days}`, PAGE_MS],
    ['log', '/host/audit', PAGE_MS],
    ['recordings', `/recordings?from=${dayOf(now - 360 * 86_400_000)}&to=${dayOf(now)}&fetch_all=true`, PAGE_MS],
    ['search for a rare word', `/host/recordings/search?q=${RARE_WORD}`, SEARCH_MS],
    ['search for a word of every line', `/host/recordings/search?q=${COMMON_WORD}`, SEARCH_MS],
    ['search for two words', `/host/recordings/search?q=w17+w1`, SEARCH_MS],
  ]
  try {
    const results: GoalResult[] = []
    for (const [name, path, goal] of pages) {
      const times: number[] = []
      for (let calls = 0; calls < CALLS; calls++) {
        const began = performance.now()
        await get(`http://127.0.0.1:${product.port}/api${path}`, token)
        times.push(performance.now() - began)
      }
      results.push(goalUnder(`a year of a room, ${on}: ${name}`, median(times), goal, formatMs))
    }
    return results
  } finally {
    await product.kill('SIGTERM')
  }
}

async function get(url: string, token: string): Promise<void> {
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
  const body = await answer.text()
  if (!answer.ok || body.includes('"found":[]')) throw new Error(`${url} answered ${answer.status}: ${body}`)
}
