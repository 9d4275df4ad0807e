import pLimit from 'p-limit'
import { z } from 'zod'
import { runJobs } from './child.ts'
import { Connection, measureWaits, openSocketStream } from './load.ts'

/** The number of streams opened at a time, which keeps the server's accept queue from overflowing. */
const CONCURRENCY = 100
const BROADCAST_TIMEOUT_MS = 30_000

const Opening = z.object({
  group: z.string(),
  port: z.number(),
  paths: z.array(z.string()),
  reports: z.array(z.string()), // status calls that keep phones online
  reportsPerSecond: z.number(),
})
const Broadcast = z.object({ group: z.string(), port: z.number(), request: z.string(), marker: z.string() })
const Job = z.union([Opening, Broadcast])

interface Group {
  size: number
  round: number
  marker: string
  missing: number
  closed: number
  onLast: (at: number) => void
}
const groups = new Map<string, Group>()

runJobs(async (input) => {
  const job = Job.parse(input)
  return 'paths' in job ? open(job) : broadcast(job)
})

async function open({ group: name, port, paths, reports, reportsPerSecond }: z.infer<typeof Opening>) {
  const group = groups.get(name) ?? { size: 0, round: 0, marker: '', missing: 0, closed: 0, onLast: () => {} }
  groups.set(name, group)
  group.size += paths.length
  if (reports.length > 0) {
    const pace = { perSecond: reportsPerSecond, connections: 1, ms: Number.POSITIVE_INFINITY }
    void measureWaits({ port, requests: reports, ...pace }).catch(() => {}) // until the server stops
  }
  const limit = pLimit(CONCURRENCY)
  await limit.map(paths, async (path) => {
    let received = 0
    const stream = await openSocketStream(port, path, (chunk) => {
      if (received === group.round || !chunk.includes(group.marker)) return
      received = group.round
      if (--group.missing === 0) group.onLast(performance.now())
    })
    stream.once('close', () => group.closed++)
  })
  return paths.length
}

/** Sends a request that is broadcast to all streams of a group; returns milliseconds until the last receipt. */
async function broadcast({ group: name, port, request, marker }: z.infer<typeof Broadcast>): Promise<number> {
  const group = groups.get(name)
  if (!group) throw new Error(`No streams named ${name}`)
  group.round++
  group.marker = marker
  group.missing = group.size
  const last = new Promise<number>((resolve, reject) => {
    group.onLast = resolve
    const fail = () =>
      reject(new Error(`${group.missing} streams did not receive ${marker}; ${group.closed} were closed`))
    setTimeout(fail, BROADCAST_TIMEOUT_MS).unref()
  })
  const connection = new Connection(port)
  const began = performance.now()
  const [status, at] = await Promise.all([connection.send(request), last])
  connection.close()
  if (status !== 200) throw new Error(`Answered ${status}`)
  return at - began
}
