import type { Rebuilt } from './image.ts'

const SCAN = 0xda
const END = 0xd9
/** Frames, tables, restart intervals and scans, with the two marks that say how its colours are meant. */
const KEPT = [0xc0, 0xc1, 0xc2, 0xc4, 0xdb, 0xdd, SCAN, 0xe0, 0xee]
const FRAMES = [0xc0, 0xc1, 0xc2]

/** Throws where the file breaks off, or is none of the kinds that every phone draws. */
export async function rebuildJpeg(file: Buffer): Promise<Rebuilt> {
  const kept = [file.subarray(0, 2)]
  let size: { width: number; height: number } | null = null
  let place = 2
  for (;;) {
    if (file.readUInt8(place) !== 0xff) throw new Error('No segment here')
    const marker = file.readUInt8(place + 1)
    if (marker === 0xff) {
      place++ // filling
      continue
    }
    if (marker === END) break
    if (marker < 0xc0 || (marker >= 0xd0 && marker <= 0xd8)) throw new Error('A segment out of place')
    if (marker >= 0xc3 && marker <= 0xcf && marker !== 0xc4) throw new Error('A kind that phones do not draw')
    let end = place + 2 + file.readUInt16BE(place + 2)
    if (end > file.length) throw new Error('Broken off')
    if (FRAMES.includes(marker)) size = { height: file.readUInt16BE(place + 5), width: file.readUInt16BE(place + 7) }
    if (marker === SCAN) end = endOfScan(file, end)
    if (KEPT.includes(marker)) kept.push(file.subarray(place, end))
    place = end
  }
  if (!size || !kept.some((part) => part[1] === SCAN)) throw new Error('No picture in it')
  return { ...size, bytes: Buffer.concat([...kept, Buffer.from([0xff, END])]) }
}

/** Where the next segment begins: the pixels run until a mark that is neither an escaped byte nor a restart. */
function endOfScan(file: Buffer, from: number): number {
  for (let place = file.indexOf(0xff, from); place >= 0; place = file.indexOf(0xff, place + 1)) {
    const next = file.readUInt8(place + 1)
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return place
  }
  throw new Error('Broken off')
}
