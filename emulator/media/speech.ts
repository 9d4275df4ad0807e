import { randomInt } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { readOggOpus } from './ogg-opus.ts'
import type { Sound } from './sound.ts'

const SAMPLES_PER_MS = 48
/** A request body that falls this far behind is played late rather than sped up. */
const LATE_MS = 100

/** Plays an Ogg Opus file as this participant's voice, in real time. Returns the number of packets played. */
export async function playSpeech(
  sound: Sound,
  uuid: string,
  body: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<number> {
  const room = sound.find(uuid)?.room
  room?.update(uuid, { audio: room.find(uuid)?.audio || 'computer', muted: false })
  let sequence = randomInt(0x10000)
  let timestamp = randomInt(0x100000000)
  let due = performance.now()
  let frames = 0
  try {
    for await (const { payload, samples } of readOggOpus(body)) {
      const waitMs = due - performance.now()
      if (waitMs > 1) await wait(waitMs, undefined, { signal })
      else if (waitMs < -LATE_MS) due = performance.now()
      if (signal.aborted || sound.find(uuid)?.attendee.muted !== false || !room) break
      sound.forward(room, uuid, { payload, sequence, timestamp, level: null })
      sequence = (sequence + 1) & 0xffff
      timestamp = (timestamp + samples) >>> 0
      due += samples / SAMPLES_PER_MS
      frames += 1
    }
  } finally {
    room?.update(uuid, { muted: true })
  }
  return frames
}
