import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { Connection, statusCall } from './connection.ts'
import { openStream } from './load-streams.ts'
import { quantile } from './statistics.ts'

const Pace = z.object({ port: z.number(), perSecond: z.number(), ms: z.number() })
const Changes = Pace.extend({
  room_id: z.string(),
  hostToken: z.string(),
  phones: z.array(z.object({ id: z.string(), token: z.string() })),
  field: z.enum(['wants_to_speak', 'is_speaking']),
  event: z.string(),
})

/** Lets one phone after the other change a field; measures from its call to the event in the console's stream. */
export async function measureChanges(input: unknown): Promise<{ p50: number; p99: number; count: number }> {
  const { port, room_id, hostToken, phones, field, event, perSecond, ms } = Changes.parse(input)
  const connection = new Connection(port)
  const sentAt = new Map<string, number>()
  const waits: number[] = []
  let unread = ''
  const stream = await openStream(port, room_id, hostToken, (chunk) => {
    const blocks = (unread + chunk.toString()).split('\n\n')
    unread = blocks.pop() ?? ''
    for (const block of blocks) {
      if (!block.includes(`event: ${event}\n`)) continue
      const id = /"user_id":"([^"]+)"/.exec(block)?.[1] ?? ''
      const began = sentAt.get(id)
      if (began !== undefined) waits.push(performance.now() - began)
      sentAt.delete(id)
    }
  })
  await paced({ perSecond, ms }, async (count) => {
    const phone = phones[count % phones.length]
    if (!phone) return
    const body = { [field]: Math.floor(count / phones.length) % 2 === 0 }
    sentAt.set(phone.id, performance.now())
    await connection.send(statusCall(port, phone.token, body))
  })
  await delay(200)
  stream.destroy()
  connection.close()
  return { p50: quantile(waits, 0.5), p99: quantile(waits, 0.99), count: waits.length }
}

const Meeting = Pace.extend({ phones: z.array(z.object({ token: z.string() })) })

/** How many speak, and how many ask to, at any time. */
const SPEAKING = 5
const ASKING = 10

/** By turns somebody begins to speak, somebody falls silent, a hand goes up, another one goes down. */
export async function simulateMeeting(input: unknown): Promise<boolean> {
  const { port, phones, perSecond, ms } = Meeting.parse(input)
  const connection = new Connection(port)
  const report = async (turn: number, body: object) => {
    const phone = phones[(turn * 7) % phones.length]
    if (phone && turn >= 0) await connection.send(statusCall(port, phone.token, body))
  }
  const changes = [
    (turn: number) => report(turn, { speaker_on: true, is_speaking: true }),
    (turn: number) => report(turn - SPEAKING, { speaker_on: false, is_speaking: false }),
    (turn: number) => report(turn + phones.length, { wants_to_speak: true }),
    (turn: number) => report(turn + phones.length - ASKING, { wants_to_speak: false }),
  ]
  await paced({ perSecond, ms }, (count) => changes[count % changes.length]?.(Math.floor(count / changes.length)))
  connection.close()
  return true
}

async function paced(
  { perSecond, ms }: { perSecond: number; ms: number },
  work: (count: number) => Promise<void> | undefined,
): Promise<void> {
  const began = performance.now()
  for (let count = 0; performance.now() - began < ms; count++) {
    await work(count)
    await delay(Math.max(0, began + ((count + 1) * 1000) / perSecond - performance.now()))
  }
}
