/** Opus always counts samples at 48 kHz. */
const SAMPLES = 48
const PAGE_HEADER = 27

export type OpusPacket = { payload: Buffer; samples: number }

/** Reads the packets of an Ogg Opus file as its bytes arrive. Throws if the format differs. */
export async function* readOggOpus(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<OpusPacket> {
  let held = Buffer.alloc(0)
  let part = Buffer.alloc(0) // of a packet that continues in the next segment
  let packets = 0
  for await (const chunk of bytes) {
    held = Buffer.concat([held, chunk])
    for (let page = pageAt(held); page !== null; page = pageAt(held)) {
      let at = page.body
      for (const size of page.segments) {
        part = Buffer.concat([part, held.subarray(at, at + size)])
        at += size
        if (size === 255) continue
        const payload = part
        part = Buffer.alloc(0)
        packets += 1
        if (packets === 1 && !payload.subarray(0, 8).equals(Buffer.from('OpusHead'))) throw new NotOggOpus()
        if (packets > 2 && payload.length > 0) yield { payload, samples: samplesOf(payload) } // two headers come first
      }
      held = held.subarray(at)
    }
  }
}

export class NotOggOpus extends Error {}

/** Returns null until the page is complete. */
function pageAt(held: Buffer): { segments: Buffer; body: number } | null {
  if (held.length >= 4 && held.toString('latin1', 0, 4) !== 'OggS') throw new NotOggOpus()
  if (held.length < PAGE_HEADER) return null
  const body = PAGE_HEADER + held.readUInt8(PAGE_HEADER - 1)
  const segments = held.subarray(PAGE_HEADER, body)
  const size = segments.reduce((sum, segment) => sum + segment, 0)
  return held.length < body + size ? null : { segments, body }
}

/** Frame lengths by the configuration in a packet's first byte (RFC 6716, 3.1): SILK, hybrid and CELT modes. */
const FRAME_MS = [10, 20, 40, 60, 10, 20, 40, 60, 10, 20, 40, 60, 10, 20, 10, 20]
const CELT_MS = [2.5, 5, 10, 20]

function samplesOf(packet: Buffer): number {
  const first = packet.readUInt8(0)
  const configuration = first >> 3
  const ms = FRAME_MS[configuration] ?? CELT_MS[configuration % CELT_MS.length] ?? 20
  const frames = [1, 2, 2][first & 3] ?? (packet.length > 1 ? packet.readUInt8(1) & 0x3f : 1)
  return ms * frames * SAMPLES
}
