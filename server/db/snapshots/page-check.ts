import { closeSync, openSync, readdirSync, readSync } from 'node:fs'
import { join } from 'node:path'

const PAGE = 8192
const PAGES_PER_FILE = 131_072 // a table larger than 1 GiB goes on in a second file
const PAGES_AT_ONCE = 128
const PRIME = 16_777_619
/** The 32 beginnings of PostgreSQL's page checksum, from its checksum_impl.h. */
const BEGINNINGS = Int32Array.of(
  ...[0x5b1f36e9, 0xb8525960, 0x02ab50aa, 0x1de66d2a, 0x79ff467a, 0x9bb9f8a3, 0x217e7cd2, 0x83e13d2c],
  ...[0xf8d4474f, 0xe39eb970, 0x42c6ae16, 0x993216fa, 0x7b093b5d, 0x98daff3c, 0xf718902a, 0x0b1c9cdb],
  ...[0xe58f764b, 0x187636bc, 0x5d7b3bb1, 0xe73de7de, 0x92bec979, 0xcca6c0b2, 0x304a0979, 0x85aa43d4],
  ...[0x783125bb, 0x6ca8eaa2, 0xe407eac6, 0x4b5cfc3e, 0x9fbf8c76, 0x15ca20be, 0xf2ca9fd3, 0x959bd756],
)

/**
 * Reads every page of every table and index, and says what is wrong with the first bad one. PostgreSQL looks at a page
 * only when a query needs it, which would be too late to choose a snapshot. A page that is newer than the end of the
 * write-ahead log means that a part of the log is lost.
 */
export function findBadPage(folder: string, walEnd: bigint): string | null {
  const databases = readdirSync(join(folder, 'base')).map((name) => join('base', name))
  for (const part of ['global', ...databases]) {
    for (const name of readdirSync(join(folder, part))) {
      const fault = /^\d+(\.\d+)?$/.test(name) && faultIn(join(folder, part, name), walEnd)
      if (fault) return `${join(part, name)} ${fault}`
    }
  }
  return null
}

const buffer = new ArrayBuffer(PAGE * PAGES_AT_ONCE)
const bytes = Buffer.from(buffer)
const words = new Int32Array(buffer)
const sums = new Int32Array(32)

function faultIn(path: string, walEnd: bigint): string | null {
  const first = Number(path.match(/\.(\d+)$/)?.[1] ?? 0) * PAGES_PER_FILE
  const file = openSync(path, 'r')
  try {
    for (let page = 0; ; ) {
      const length = readSync(file, bytes, 0, bytes.length, page * PAGE)
      if (length === 0) return null
      if (length % PAGE !== 0) return `is cut off after ${page * PAGE + length} bytes`
      for (let at = 0; at < length; at += PAGE, page++) {
        const fault = faultOfPage(at, first + page, walEnd)
        if (fault) return `${fault} in page ${first + page}`
      }
    }
  } finally {
    closeSync(file)
  }
}

function faultOfPage(at: number, block: number, walEnd: bigint): string | null {
  const isNew = bytes.readUInt16LE(at + 14) === 0
  if (isNew) return bytes.subarray(at, at + PAGE).some((byte) => byte !== 0) ? 'has a wrong checksum' : null
  if (checksum(at, block) !== bytes.readUInt16LE(at + 8)) return 'has a wrong checksum'
  const changedAt = (BigInt(bytes.readUInt32LE(at)) << 32n) | BigInt(bytes.readUInt32LE(at + 4))
  return changedAt > walEnd ? 'is newer than the write-ahead log' : null
}

/** PostgreSQL's pg_checksum_page: 32 sums side by side, the checksum's own field counted as zero. */
function checksum(at: number, block: number): number {
  const start = at / 4
  const own = words[start + 2] ?? 0
  words[start + 2] = own & 0xffff0000
  sums.set(BEGINNINGS)
  for (let row = 0; row < PAGE / 4; row += 32) {
    for (let lane = 0; lane < 32; lane++) mix(lane, words[start + row + lane] ?? 0)
  }
  let result = 0
  for (let lane = 0; lane < 32; lane++) {
    mix(lane, 0)
    mix(lane, 0)
    result ^= sums[lane] ?? 0
  }
  words[start + 2] = own
  return (((result ^ block) >>> 0) % 65_535) + 1
}

function mix(lane: number, word: number): void {
  const mixed = (sums[lane] ?? 0) ^ word
  sums[lane] = Math.imul(mixed, PRIME) ^ (mixed >>> 17)
}
