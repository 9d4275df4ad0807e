import { crc32, deflateSync } from 'node:zlib'

const chunk = (type: string, data: Buffer) => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}

/** Builds a black picture, with `extra` chunks before its pixels. */
export function buildPng({
  width = 8,
  height = 8,
  extra = [],
}: {
  width?: number
  height?: number
  extra?: [string, string][]
} = {}): Buffer {
  const head = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0]) // 8 bits of gray
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  const pixels = deflateSync(Buffer.alloc(Math.min(height, 4096) * (Math.min(width, 4096) + 1)))
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    ...extra.map(([type, words]) => chunk(type, Buffer.from(words))),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

export function logoForm(file: Uint8Array, name: string, field = 'logo'): FormData {
  const form = new FormData()
  form.append(field, new Blob([new Uint8Array(file)]), name)
  return form
}
