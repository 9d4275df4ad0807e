import { hash } from 'node:crypto'
import { PART_BYTES } from './backup-format.ts'

const NEW_LINE = 10
const MODULUS = 1n << 256n

/** Counts the rows of a table in its `COPY` text, and adds up their digests. Text of `COPY` has a line for each row. */
export class RowDigest {
  rows = 0
  #sum = 0n

  /** Takes whole lines. */
  add(lines: Buffer): void {
    for (let from = 0; from < lines.length; ) {
      const end = lines.indexOf(NEW_LINE, from)
      if (end < 0) throw new Error('A line of the table is cut short')
      this.#sum += BigInt(`0x${hash('sha256', lines.subarray(from, end), 'hex')}`)
      this.rows++
      from = end + 1
    }
    this.#sum %= MODULUS
  }

  toString(): string {
    return this.#sum.toString(16).padStart(64, '0')
  }
}

/** Cuts text of `COPY` between rows. */
export async function* wholeLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer<ArrayBuffer>> {
  let held: Uint8Array[] = []
  let size = 0
  for await (const chunk of chunks) {
    held.push(chunk)
    size += chunk.length
    if (size < PART_BYTES) continue
    let text = Buffer.concat(held)
    for (let cut = endOfPart(text); cut > 0 && text.length >= PART_BYTES; cut = endOfPart(text)) {
      yield text.subarray(0, cut)
      text = text.subarray(cut)
    }
    held = [text]
    size = text.length
  }
  if (size > 0) yield Buffer.concat(held)
}

/** Returns where the last line that fits ends, or the first one where it is longer than a part; 0 for none. */
function endOfPart(text: Buffer): number {
  const fitting = text.lastIndexOf(NEW_LINE, PART_BYTES - 1) + 1
  return fitting || text.indexOf(NEW_LINE) + 1
}
