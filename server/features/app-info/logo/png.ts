import { promisify } from 'node:util'
import { crc32, inflate } from 'node:zlib'
import type { Rebuilt } from './image.ts'

/** What draws the picture. All else is words, times or somebody's own. */
const KEPT = ['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']
const SIGNATURE = 8
const MOST_PIXELS_BYTES = 64 * 1024 * 1024

/** Throws where the file breaks off, a check sum is wrong, or its pixels do not unpack. */
export async function rebuildPng(file: Buffer): Promise<Rebuilt> {
  const kept = [file.subarray(0, SIGNATURE)]
  const pixels: Buffer[] = []
  let size: { width: number; height: number } | null = null
  for (let place = SIGNATURE; ; ) {
    const length = file.readUInt32BE(place)
    const type = file.toString('latin1', place + 4, place + 8)
    const end = place + 12 + length
    const isSound = crc32(file.subarray(place + 4, end - 4)) === file.readUInt32BE(end - 4)
    if (!isSound || (place === SIGNATURE) !== (type === 'IHDR')) throw new Error(`Broken at ${type}`)
    if (/^[A-Z]/.test(type) && !KEPT.includes(type)) throw new Error(`Cannot do without ${type}`)
    if (type === 'IHDR') size = { width: file.readUInt32BE(place + 8), height: file.readUInt32BE(place + 12) }
    if (type === 'IDAT') pixels.push(file.subarray(place + 8, end - 4))
    if (KEPT.includes(type)) kept.push(file.subarray(place, end))
    if (type === 'IEND') break
    place = end
  }
  if (!size || pixels.length === 0) throw new Error('No picture in it')
  await promisify(inflate)(Buffer.concat(pixels), { maxOutputLength: MOST_PIXELS_BYTES })
  return { ...size, bytes: Buffer.concat(kept) }
}
