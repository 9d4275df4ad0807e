import type { ServerProcess } from '../../test/servers/server-process.ts'
import { webhookHeaders } from '../../test/zoom/webhook-headers.ts'
import { type Benchmark, formatMs, goalUnder } from '../benchmark.ts'
import { WEBHOOK_SECRET, withConnectedRoom } from '../connected-room.ts'
import { measureMs, quantile } from '../statistics.ts'

const SENDERS = 4
const EVENTS_EACH = 75
const P99_MS = 200

/** Sends all webhooks at once; Zoom abandons a call after 3 s. */
export const webhooks: Benchmark = {
  name: 'webhooks',
  run: () =>
    withConnectedRoom(async ({ server, meetingId }) => {
      const waits: number[] = []
      const send = async (sender: number) => {
        for (let sent = 0; sent < EVENTS_EACH; sent++) {
          waits.push(await measureMs(() => sendMeetingStarted(server, meetingId, `${sender}-${sent}`)))
        }
      }
      await Promise.all(Array.from({ length: SENDERS }, (_, sender) => send(sender)))
      const path = `${SENDERS * EVENTS_EACH} webhooks from ${SENDERS} senders: p99`
      return [goalUnder(path, quantile(waits, 0.99), P99_MS, formatMs)]
    }),
}

async function sendMeetingStarted({ port }: ServerProcess, id: string, uuid: string): Promise<void> {
  const object = { id, uuid, host_id: 'host', topic: 'ROOM-1', type: 3, start_time: new Date().toISOString() }
  const event = { event: 'meeting.started', event_ts: Date.now(), payload: { account_id: 'account', object } }
  const body = JSON.stringify(event)
  const headers = webhookHeaders(body, WEBHOOK_SECRET, Date.now())
  const answer = await fetch(`http://127.0.0.1:${port}/api/zoom/webhooks`, { method: 'POST', headers, body })
  if (!answer.ok) throw new Error(`The webhook was answered with ${answer.status}`)
}
