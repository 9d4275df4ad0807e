import { http, type ServerProcess } from '../../test/servers/server-process.ts'
import { type Benchmark, formatMs, ratioAtMost } from '../benchmark.ts'
import { withConnectedRoom } from '../connected-room.ts'
import { measureMs, median } from '../statistics.ts'

const PAGES = ['/host/users', '/host/dashboard', '/host/profile']
const VISITS = 40
const HANGING = 30
const GOAL = 2

/** Measures pages that do not need Zoom while calls to Zoom hang. */
export const hangingZoom: Benchmark = {
  name: 'hanging-zoom',
  run: () =>
    withConnectedRoom(async ({ server, zoom, token }) => {
      const limit = await medianVisit(server, token)
      await zoom.control('/faults', { match: { path: '/v2/*' }, kind: 'slow', delay_ms: 600_000, times: 0 })
      const abort = new AbortController()
      const calls = Array.from({ length: HANGING }, (_, day) => {
        const from = new Date(Date.now() - day * 86_400_000).toISOString().slice(0, 10)
        const url = `http://127.0.0.1:${server.port}/api/recordings?fetch_live=true&from=${from}`
        return fetch(url, { headers: { authorization: `Bearer ${token}` }, signal: abort.signal }).catch(() => null)
      })
      const product = await medianVisit(server, token)
      abort.abort()
      await Promise.all(calls)
      const path = `three pages while ${HANGING} calls hang on Zoom (limit: while none does)`
      return [ratioAtMost(path, { product, limit, ratio: product / limit }, GOAL, formatMs)]
    }),
}

async function medianVisit(server: ServerProcess, token: string): Promise<number> {
  const waits: number[] = []
  for (let visit = 0; visit < VISITS; visit++) {
    const load = async () => {
      for (const path of PAGES) await http(server, 'GET', path, { token })
    }
    waits.push(await measureMs(load))
  }
  return median(waits)
}
