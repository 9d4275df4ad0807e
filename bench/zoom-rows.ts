import { freePort } from '../test/free-port.ts'
import { dataFolder, http, type ServerProcess, startServerProcess } from '../test/server-process.ts'
import { webhookHeaders } from '../test/webhook-headers.ts'
import { connectHost, type OuterZoom, startZoomFor } from '../test/zoom-over-http.ts'
import { median, quantile } from './rounds.ts'
import { inMs, type Row } from './row.ts'

const SECRET = 'the-webhook-secret'
const ANA = { username: 'ana', email: 'ana@example.com', password: 'correct horse', subscription_type: 12 }
const PAGES = ['/host/users', '/host/dashboard', '/host/profile']
const SENDERS = 4
const EVENTS_EACH = 75
const VISITS = 40
const HANGING = 30
const WEBHOOK_P99_MS = 200
const SLOWER_AT_MOST = 2

/** Webhooks that come all at once; Zoom gives up on an answer after 3 s. */
export const webhooksRow: Row = {
  name: 'webhooks',
  rooms: [],
  measure: () =>
    withZoom(async ({ server, meetingId }) => {
      const waits: number[] = []
      const send = async (sender: number) => {
        for (let sent = 0; sent < EVENTS_EACH; sent++) {
          const began = performance.now()
          await sendMeetingStarted(server, meetingId, `${sender}-${sent}`)
          waits.push(performance.now() - began)
        }
      }
      await Promise.all(Array.from({ length: SENDERS }, (_, sender) => send(sender)))
      const p99 = quantile(waits, 0.99)
      return [
        {
          path: `${SENDERS * EVENTS_EACH} webhooks from ${SENDERS} senders: p99`,
          product: inMs(p99),
          limit: '',
          ratio: null,
          goal: `under ${WEBHOOK_P99_MS} ms`,
          isMet: p99 < WEBHOOK_P99_MS,
        },
      ]
    }),
}

/** Pages that need nothing of Zoom, while thirty calls hang on it. */
export const hangingZoomRow: Row = {
  name: 'hanging-zoom',
  rooms: [],
  measure: () =>
    withZoom(async ({ server, zoom, token }) => {
      const before = await medianVisit(server, token)
      await zoom.control('/faults', { match: { path: '/v2/*' }, kind: 'slow', delay_ms: 600_000, times: 0 })
      const leaving = new AbortController()
      const hanging = Array.from({ length: HANGING }, (_, day) => {
        const from = new Date(Date.now() - day * 86_400_000).toISOString().slice(0, 10)
        const url = `http://127.0.0.1:${server.port}/api/recordings?fetch_live=true&from=${from}`
        const headers = { authorization: `Bearer ${token}` }
        return fetch(url, { headers, signal: leaving.signal }).catch(() => null)
      })
      const meanwhile = await medianVisit(server, token)
      leaving.abort()
      await Promise.all(hanging)
      const ratio = meanwhile / before
      return [
        {
          path: `three pages while ${HANGING} calls hang on Zoom (limit: while none does)`,
          product: inMs(meanwhile),
          limit: inMs(before),
          ratio,
          goal: `${SLOWER_AT_MOST.toFixed(2)} or less`,
          isMet: ratio <= SLOWER_AT_MOST,
        },
      ]
    }),
}

async function medianVisit(server: ServerProcess, token: string): Promise<number> {
  const waits: number[] = []
  for (let visit = 0; visit < VISITS; visit++) {
    const began = performance.now()
    for (const path of PAGES) await http(server, 'GET', path, { token })
    waits.push(performance.now() - began)
  }
  return median(waits)
}

interface ConnectedRoom {
  server: ServerProcess
  zoom: OuterZoom
  token: string
  meetingId: string
}

async function withZoom<T>(measure: (room: ConnectedRoom) => Promise<T>): Promise<T> {
  const folder = await dataFolder()
  const zoom = await startZoomFor(await freePort())
  const server = await startServerProcess({ ...zoom.env, DATA_DIR: folder.path, ZOOM_WEBHOOK_SECRET: SECRET })
  try {
    const host = await connectHost(server, zoom, ANA)
    return await measure({ server, zoom, token: host.token, meetingId: host.rooms[0].zoom_meeting_id })
  } finally {
    await server.kill('SIGTERM')
    await zoom.close()
    await folder.remove()
  }
}

async function sendMeetingStarted({ port }: ServerProcess, meetingId: string, uuid: string): Promise<void> {
  const object = {
    id: meetingId,
    uuid,
    host_id: 'host',
    topic: 'ROOM-1',
    type: 3,
    start_time: new Date().toISOString(),
  }
  const event = { event: 'meeting.started', event_ts: Date.now(), payload: { account_id: 'account', object } }
  const body = JSON.stringify(event)
  const headers = webhookHeaders(body, SECRET, Date.now())
  const answer = await fetch(`http://127.0.0.1:${port}/api/zoom/webhooks`, { method: 'POST', headers, body })
  if (!answer.ok) throw new Error(`The webhook was answered with ${answer.status}`)
}
