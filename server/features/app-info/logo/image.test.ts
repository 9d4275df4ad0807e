import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { buildPng } from '../../../../test/factories/logo.ts'
import { encodeLogo } from './image.ts'

const text = (words: string) => Buffer.from(words, 'latin1')
const behind = text('<html><script>alert(1)</script>')

const plain = { create: { width: 24, height: 16, channels: 4, background: 'teal' } } as const
const withExif = () => sharp(plain).withExif({ IFD0: { Copyright: 'at home' } })
const jpeg = await withExif().jpeg().toBuffer()
const webp = await withExif().webp().toBuffer()
const moving = await sharp(Buffer.from(Array.from({ length: 4 * 8 * 3 }, (_, n) => (n * 37) % 256)), {
  raw: { width: 4, height: 8, channels: 3, pageHeight: 4 },
})
  .webp({ loop: 0 })
  .toBuffer()

test.each([
  ['PNG', await withExif().png().toBuffer(), 'a.png', 'png'],
  ['PNG with words', buildPng({ width: 24, height: 16, extra: [['tEXt', 'x=<script>']] }), 'a.png', 'png'],
  ['JPEG', jpeg, 'A.JPEG', 'jpeg'],
  ['WebP', webp, 'a.webp', 'webp'],
])('keeps only the pixels of a %s', async (_kind, file, name, format) => {
  const { bytes } = await encodeLogo(Buffer.concat([file, behind]), name)
  const metadata = await sharp(bytes).metadata()
  expect(metadata).toMatchObject({ format, width: 24, height: 16 })
  expect(metadata).not.toHaveProperty('exif')
  for (const words of ['at home', '<script>', '<html>']) expect(bytes.includes(words)).toBe(false)
})

test('applies the rotation of the metadata, then drops the metadata', async () => {
  const { bytes } = await encodeLogo(await sharp(plain).withMetadata({ orientation: 6 }).jpeg().toBuffer(), 'a.jpg')
  const metadata = await sharp(bytes).metadata()
  expect(metadata).toMatchObject({ width: 16, height: 24 })
  expect(metadata).not.toHaveProperty('orientation')
})

test('stores a large picture small, and in 8 bits', async () => {
  const large = sharp({ create: { ...plain.create, width: 2048, height: 1024 } })
  const { bytes } = await encodeLogo(await large.toColourspace('rgb16').png().toBuffer(), 'a.png')
  expect(await sharp(bytes).metadata()).toMatchObject({ width: 512, height: 256, depth: 'uchar' })
})

test('accepts a progressive JPEG', async () => {
  const { bytes } = await encodeLogo(await sharp(plain).jpeg({ progressive: true }).toBuffer(), 'a.jpg')
  expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', width: 24 })
})

test('keeps no memory of what it has decoded', async () => {
  await encodeLogo(jpeg, 'a.jpg')
  expect(sharp.cache()).toMatchObject({ memory: { max: 0 }, items: { current: 0, max: 0 } })
  expect(sharp.concurrency()).toBe(1)
})

describe('refuses', () => {
  const png = buildPng()
  test.each([
    ['SVG', text('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'), 'a.svg', /must be a PNG/],
    ['SVG by another name', text('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'a.png', /must be a PNG/],
    ['a page', text('<!doctype html><script>alert(1)</script>'), 'a.png', /must be a PNG/],
    ['a GIF', text('GIF89a'), 'a.gif', /must be a PNG/],
    ['a PNG named .jpg', png, 'a.jpg', /not what its name says/],
    ['a PNG named .html', png, 'a.png.html', /not what its name says/],
    ['a PNG without a name', png, 'blob', /not what its name says/],
    ['20,000 pixels', buildPng({ width: 20_000, height: 20_000 }), 'a.png', /at most 2048/],
    ['a PNG one pixel too high', buildPng({ height: 2049 }), 'a.png', /at most 2048/],
    ['a PNG without width', buildPng({ width: 0 }), 'a.png', /damaged/],
    ['a truncated PNG', png.subarray(0, -20), 'a.png', /damaged/],
    ['the first bytes of a PNG', png.subarray(0, 8), 'a.png', /damaged/],
    ['a PNG with a changed byte', Buffer.from(png).fill(9, 45, 46), 'a.png', /damaged/],
    ['a truncated JPEG', jpeg.subarray(0, -40), 'a.jpg', /damaged/],
    ['a JPEG without pixels', Buffer.from('ffd8ffd9', 'hex'), 'a.jpg', /damaged/],
    ['a JPEG of 101 more scans', Buffer.concat([jpeg, Buffer.from('ffda'.repeat(101), 'hex')]), 'a.jpg', /damaged/],
    ['another kind of RIFF', text('RIFF\x04\0\0\0WAVE'), 'a.webp', /damaged/],
    ['an animated WebP', moving, 'a.webp', /damaged/],
    ['a truncated WebP', webp.subarray(0, -20), 'a.webp', /damaged/],
  ])('%s', async (_what, file, name, words) => {
    await expect(encodeLogo(file, name)).rejects.toThrow(words)
  })
})
