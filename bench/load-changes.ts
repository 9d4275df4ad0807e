import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { Connection, requestText } from './connection.ts'
import { openStream } from './load-streams.ts'
import { quantile } from './rounds.ts'

const Changes = z.object({
  port: z.number(),
  room_id: z.string(),
  console: z.string(), // the host's token
  phones: z.array(z.object({ id: z.string(), token: z.string() })),
  field: z.enum(['wants_to_speak', 'is_speaking']),
  event: z.string(),
  perSecond: z.number(),
  ms: z.number(),
})

/** One phone after the other changes something; gives how long it is from its call to the console's stream. */
export async function measureChanges(input: unknown): Promise<{ p50: number; p99: number; count: number }> {
  const { port, room_id, console, phones, field, event, perSecond, ms } = Changes.parse(input)
  const asking = new Connection(port)
  const since = new Map<string, number>()
  const waits: number[] = []
  let unread = ''
  const stream = await openStream(port, room_id, console, (chunk) => {
    const blocks = (unread + chunk.toString()).split('\n\n')
    unread = blocks.pop() ?? ''
    for (const block of blocks) {
      if (!block.includes(`event: ${event}\n`)) continue
      const id = /"user_id":"([^"]+)"/.exec(block)?.[1] ?? ''
      const began = since.get(id)
      if (began !== undefined) waits.push(performance.now() - began)
      since.delete(id)
    }
  })

  const began = performance.now()
  for (let round = 0; performance.now() - began < ms; round++) {
    const phone = phones[round % phones.length]
    if (!phone) continue
    const body = { [field]: Math.floor(round / phones.length) % 2 === 0 }
    since.set(phone.id, performance.now())
    await asking.ask(requestText('POST', '/api/mobile/status', { port, token: phone.token, body }))
    await delay(Math.max(0, began + ((round + 1) * 1000) / perSecond - performance.now()))
  }
  await delay(200)
  stream.close()
  asking.close()
  return { p50: quantile(waits, 0.5), p99: quantile(waits, 0.99), count: waits.length }
}
