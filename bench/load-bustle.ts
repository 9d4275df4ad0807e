import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { Connection, requestText } from './connection.ts'

const Bustle = z.object({
  port: z.number(),
  phones: z.array(z.object({ token: z.string() })),
  perSecond: z.number(),
  ms: z.number(),
})

/** A few speak at any time, and more ask to. */
const SPEAKING = 5
const ASKING = 10

/** A busy meeting: by turns somebody begins to speak, somebody falls silent, a hand goes up, another one down. */
export async function bustle(input: unknown): Promise<number> {
  const { port, phones, perSecond, ms } = Bustle.parse(input)
  const asking = new Connection(port)
  const say = async (turn: number, body: object) => {
    const phone = phones[(turn * 7) % phones.length]
    if (phone && turn >= 0)
      await asking.ask(requestText('POST', '/api/mobile/status', { port, token: phone.token, body }))
  }
  const acts = [
    (turn: number) => say(turn, { speaker_on: true, is_speaking: true }),
    (turn: number) => say(turn - SPEAKING, { speaker_on: false, is_speaking: false }),
    (turn: number) => say(turn + phones.length, { wants_to_speak: true }),
    (turn: number) => say(turn + phones.length - ASKING, { wants_to_speak: false }),
  ]
  const began = performance.now()
  let changes = 0
  for (; performance.now() - began < ms; changes++) {
    await acts[changes % acts.length]?.(Math.floor(changes / acts.length))
    await delay(Math.max(0, began + ((changes + 1) * 1000) / perSecond - performance.now()))
  }
  asking.close()
  return changes
}
