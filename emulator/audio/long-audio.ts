import { readFileSync } from 'node:fs'
import { audioFiles, audioPath } from './audio.ts'

/** A sample with AAC frames that can be repeated: all samples share one rate and format. */
type Sample = { frames: Buffer; sizes: number[]; description: Buffer; rate: number }

const SAMPLES_PER_FRAME = 1024
const NO_LANGUAGE = 0x55c4
const samples = new Map<string, Sample>()

/** An M4A file of the given duration, which repeats the sample's frames. */
export class LongAudio {
  readonly size: number
  readonly #head: Buffer
  readonly #frames: Buffer

  constructor(name: string, seconds: number) {
    const { frames, sizes, description, rate } = readSample(name)
    const count = Math.max(1, Math.round((seconds * rate) / SAMPLES_PER_FRAME))
    const rest = count % sizes.length
    const bytes = Math.floor(count / sizes.length) * frames.length + sum(sizes.slice(0, rest))
    this.#head = head({ count, sizes, description, rate, bytes })
    this.#frames = frames
    this.size = this.#head.length + bytes
  }

  /** Yields the bytes from `start` to `end`, both included. */
  *read(start: number, end: number): Generator<Buffer> {
    const head = this.#head
    if (start < head.length) yield head.subarray(start, end + 1)
    for (let at = Math.max(start, head.length); at <= end; ) {
      const from = (at - head.length) % this.#frames.length
      const part = this.#frames.subarray(from, Math.min(this.#frames.length, from + end + 1 - at))
      at += part.length
      yield part
    }
  }
}

function readSample(name: string): Sample {
  const known = samples.get(name)
  if (known) return known
  const path = audioPath(name)
  if (!path) throw new Error(`There is no sample ${name} among ${audioFiles.length}.`)
  const file = readFileSync(path)
  const stbl = find(file, ['moov', 'trak', 'mdia', 'minf', 'stbl'])
  const table = find(stbl, ['stsz'])
  const sizes = Array.from({ length: table.readUInt32BE(8) }, (_, at) => table.readUInt32BE(12 + at * 4))
  const rate = find(file, ['moov', 'trak', 'mdia', 'mdhd']).readUInt32BE(12)
  const sample = { frames: find(file, ['mdat']), sizes, description: find(stbl, ['stsd']), rate }
  samples.set(name, sample)
  return sample
}

/** Returns the content of an MP4 box; the path names the boxes around it, from the outermost one. */
function find(content: Buffer, [name = '', ...rest]: string[]): Buffer {
  for (let at = 0; at + 8 <= content.length; ) {
    const size = content.readUInt32BE(at)
    const inside = content.subarray(at + 8, at + size)
    if (content.toString('latin1', at + 4, at + 8) === name) return rest.length === 0 ? inside : find(inside, rest)
    at += size
  }
  throw new Error(`The sample has no ${name}.`)
}

type Track = { count: number; sizes: number[]; description: Buffer; rate: number; bytes: number }

/** Builds everything before the frames, with the index first, so that players can start and seek at once. */
function head({ count, sizes, description, rate, bytes }: Track): Buffer {
  const length = count * SAMPLES_PER_FRAME
  const ftyp = box('ftyp', Buffer.from('M4A \0\0\x02\0M4A isomiso2', 'latin1'))
  const table = Buffer.alloc(count * 4)
  for (let at = 0; at < count; at++) table.writeUInt32BE(sizes[at % sizes.length] ?? 0, at * 4)
  const index = (offset: number) =>
    box(
      'moov',
      box('mvhd', numbers(0, 0, 0, rate, length, 0x10000, 0x1000000, 0, 0, ...MATRIX, 0, 0, 0, 0, 0, 0, 2)),
      box(
        'trak',
        box('tkhd', numbers(3, 0, 0, 1, 0, length, 0, 0, 0, 0x1000000, ...MATRIX, 0, 0)),
        box(
          'mdia',
          box('mdhd', numbers(0, 0, 0, rate, length, NO_LANGUAGE << 16)),
          box('hdlr', numbers(0, 0), Buffer.from('soun'), numbers(0, 0, 0), Buffer.from('Sound\0')),
          box(
            'minf',
            box('smhd', numbers(0, 0)),
            box('dinf', box('dref', numbers(0, 1), box('url ', numbers(1)))),
            box(
              'stbl',
              box('stsd', description),
              box('stts', numbers(0, 1, count, SAMPLES_PER_FRAME)),
              box('stsc', numbers(0, 1, 1, count, 1)),
              box('stsz', numbers(0, 0, count), table),
              box('stco', numbers(0, 1, offset)),
            ),
          ),
        ),
      ),
    )
  const before = ftyp.length + index(0).length + 8
  return Buffer.concat([ftyp, index(before), numbers(bytes + 8), Buffer.from('mdat')])
}

/** The identity matrix: no rotation, no scaling. */
const MATRIX = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000]

function box(name: string, ...content: Buffer[]): Buffer {
  const size = 8 + sum(content.map((part) => part.length))
  return Buffer.concat([numbers(size), Buffer.from(name, 'latin1'), ...content])
}

function numbers(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value >>> 0, at * 4)
  return bytes
}

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
