import { describe, expect, test } from 'vitest'
import { aPng } from '../../../../test/logo.ts'
import { rebuildLogo } from './image.ts'

const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))))

/** A segment of a JPEG: its marker and what is in it. */
const segment = (marker: number, data: Buffer) => {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(data.length + 2, 2)
  return Buffer.concat([head, data])
}
const FRAME = segment(0xc0, bytes([8, 0, 16, 0, 24, 1, 1, 0x11, 0]))
const SCAN = Buffer.concat([segment(0xda, bytes([1, 1, 0, 0, 63, 0])), bytes([1, 0xff, 0, 2, 0xff, 0xd0, 3])])
const aJpeg = (...extra: Buffer[]) =>
  Buffer.concat([bytes([0xff, 0xd8]), ...extra, segment(0xdb, Buffer.alloc(65)), FRAME, SCAN, bytes([0xff, 0xd9])])

const riff = (...chunks: Buffer[]) => {
  const body = Buffer.concat(chunks)
  const head = bytes('RIFF', [0, 0, 0, 0], 'WEBP')
  head.writeUInt32LE(body.length + 4, 4)
  return Buffer.concat([head, body])
}
const part = (type: string, data: Buffer) => {
  const head = bytes(type, [0, 0, 0, 0])
  head.writeUInt32LE(data.length, 4)
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)])
}
const PIXELS = part('VP8 ', bytes([0, 0, 0, 0x9d, 1, 0x2a, 24, 0, 16, 0, 7]))
const extended = (flags: number) => part('VP8X', bytes([flags, 0, 0, 0, 23, 0, 0, 15, 0, 0]))

test.each([
  [
    'PNG',
    aPng(),
    aPng({
      extra: [
        ['tEXt', 'x=<script>alert(1)</script>'],
        ['eXIf', 'at home'],
      ],
    }),
    'a.png',
  ],
  ['JPEG', aJpeg(), aJpeg(segment(0xe1, bytes('Exif at home')), segment(0xfe, bytes('<script>'))), 'A.JPEG'],
  ['WebP', riff(extended(0), PIXELS), riff(extended(0x2c), PIXELS, part('EXIF', bytes('at home'))), 'a.webp'],
])(
  'SEC-54 a %s is kept without what does not draw it, and without what follows its end',
  async (_kind, plain, full, name) => {
    const behind = bytes('<html><script>alert(1)</script>')
    const { bytes: kept } = await rebuildLogo(Buffer.concat([full, behind]), name)
    expect(kept.equals(plain)).toBe(true)
    expect((await rebuildLogo(kept, name)).bytes.equals(plain)).toBe(true)
  },
)

describe('SEC-54 refused is', () => {
  const png = aPng()
  test.each([
    ['SVG', bytes('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'), 'a.svg', /must be a PNG/],
    ['SVG by another name', bytes('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'a.png', /must be a PNG/],
    ['a page', bytes('<!doctype html><script>alert(1)</script>'), 'a.png', /must be a PNG/],
    ['a GIF', bytes('GIF89a'), 'a.gif', /must be a PNG/],
    ['a PNG by the name of a JPEG', png, 'a.jpg', /not what its name says/],
    ['a PNG by the name of a page', png, 'a.png.html', /not what its name says/],
    ['a PNG without a name', png, 'blob', /not what its name says/],
    ['20,000 pixels', aPng({ width: 20_000, height: 20_000 }), 'a.png', /at most 2048/],
    ['one line too high', aPng({ height: 2049 }), 'a.png', /at most 2048/],
    ['no width', aPng({ width: 0 }), 'a.png', /at most 2048/],
    ['a PNG that breaks off', png.subarray(0, -20), 'a.png', /damaged/],
    ['a PNG of its first bytes alone', png.subarray(0, 8), 'a.png', /damaged/],
    ['a PNG with a changed byte', Buffer.from(png).fill(9, 45, 46), 'a.png', /damaged/],
    ['a PNG with a part that nobody knows', aPng({ extra: [['EVIL', 'x']] }), 'a.png', /damaged/],
    ['a JPEG that breaks off', aJpeg().subarray(0, -2), 'a.jpg', /damaged/],
    ['a JPEG without pixels', bytes([0xff, 0xd8, 0xff, 0xd9]), 'a.jpg', /damaged/],
    ['another kind of RIFF', bytes('RIFF', [4, 0, 0, 0], 'WAVE'), 'a.webp', /damaged/],
    ['a WebP that moves', riff(extended(2), part('ANIM', Buffer.alloc(6)), PIXELS), 'a.webp', /damaged/],
    ['a WebP without pixels', riff(extended(0)), 'a.webp', /damaged/],
  ])('%s', async (_what, file, name, words) => {
    await expect(rebuildLogo(file, name)).rejects.toThrow(words)
  })
})
