import { randomInt } from 'node:crypto'

/** An Opus packet from a microphone or a clip. */
export type OpusFrame = {
  payload: Buffer
  sequence: number // 16 bits
  timestamp: number // 32 bits, at 48 kHz
  level: number | null // RFC 6464: dB below the maximum, 127 for silence; null if the sender omits it
}

export type Packet = Pick<OpusFrame, 'payload' | 'sequence' | 'timestamp'> & { marker: boolean }

const SAMPLES_PER_MS = 48
const FRAME_SAMPLES = 20 * SAMPLES_PER_MS
/** 20 ms of silence in Opus. Without it, a decoder would stretch the last sound when packets stop. */
const SILENCE = Buffer.from([0xf8, 0xff, 0xfe])
const SILENT_FRAMES = 3

/** An audio track to a listener. Speakers take turns on it, while its sequence numbers continue without a gap. */
export class VoiceTrack {
  speaker: string | null = null
  readonly #send: (packet: Packet) => void
  readonly #now: () => number
  #sequence = randomInt(0x10000)
  #timestamp = randomInt(0x100000000)
  #at: number
  #shift: { sequence: number; timestamp: number } | null = null

  constructor(send: (packet: Packet) => void, now: () => number) {
    this.#send = send
    this.#now = now
    this.#at = now()
  }

  give(speaker: string) {
    this.speaker = speaker
    this.#shift = null
  }

  write({ payload, sequence, timestamp }: OpusFrame) {
    const marker = this.#shift === null
    this.#shift ??= {
      sequence: this.#sequence + 1 - sequence,
      timestamp: this.#timestamp + Math.max(FRAME_SAMPLES, (this.#now() - this.#at) * SAMPLES_PER_MS) - timestamp,
    }
    this.#put({
      payload,
      marker,
      sequence: (sequence + this.#shift.sequence) & 0xffff,
      timestamp: (timestamp + this.#shift.timestamp) >>> 0,
    })
  }

  free() {
    this.speaker = null
    if (this.#shift === null) return
    this.#shift = null
    for (let frame = 0; frame < SILENT_FRAMES; frame++)
      this.#put({
        payload: SILENCE,
        marker: false,
        sequence: (this.#sequence + 1) & 0xffff,
        timestamp: (this.#timestamp + FRAME_SAMPLES) >>> 0,
      })
  }

  #put(packet: Packet) {
    this.#sequence = packet.sequence
    this.#timestamp = packet.timestamp
    this.#at = this.#now()
    this.#send(packet)
  }
}
