import type { Rebuilt } from './image.ts'

/** What draws a still picture. */
const KEPT = ['VP8X', 'ALPH', 'VP8 ', 'VP8L']
const ALPHA_FLAG = 0x10

/** Throws where the file breaks off, moves, or holds no picture. */
export async function rebuildWebp(file: Buffer): Promise<Rebuilt> {
  if (file.toString('latin1', 8, 12) !== 'WEBP') throw new Error('Another kind of RIFF')
  const fileEnd = Math.min(file.length, 8 + file.readUInt32LE(4))
  const kept: Buffer[] = []
  let size: { width: number; height: number } | null = null
  let hasPixels = false
  for (let place = 12; place + 8 <= fileEnd; ) {
    const type = file.toString('latin1', place, place + 4)
    const length = file.readUInt32LE(place + 4)
    const data = place + 8
    if (data + length > fileEnd) throw new Error('Broken off')
    if (type.startsWith('ANI') || type === 'ANMF') throw new Error('It moves')
    if (KEPT.includes(type)) {
      size ??= sizeOf(type, file, data)
      hasPixels ||= type === 'VP8 ' || type === 'VP8L'
      const chunk = Buffer.from(file.subarray(place, data + length))
      if (type === 'VP8X') chunk[8] = file.readUInt8(data) & ALPHA_FLAG // what else it announced is left out
      kept.push(chunk, Buffer.alloc(length % 2))
    }
    place = data + length + (length % 2)
  }
  if (!size || !hasPixels) throw new Error('No picture in it')
  const body = Buffer.concat(kept)
  const head = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1')
  head.writeUInt32LE(body.length + 4, 4)
  return { ...size, bytes: Buffer.concat([head, body]) }
}

function sizeOf(type: string, file: Buffer, data: number): { width: number; height: number } | null {
  if (type === 'VP8X') return { width: file.readUIntLE(data + 4, 3) + 1, height: file.readUIntLE(data + 7, 3) + 1 }
  if (type === 'VP8 ') {
    if (file.readUIntBE(data + 3, 3) !== 0x9d012a) throw new Error('No key frame')
    return { width: file.readUInt16LE(data + 6) & 0x3fff, height: file.readUInt16LE(data + 8) & 0x3fff }
  }
  if (type !== 'VP8L') return null
  if (file.readUInt8(data) !== 0x2f) throw new Error('No lossless picture')
  const bits = file.readUInt32LE(data + 1)
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
}
