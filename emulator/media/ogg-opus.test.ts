import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { NotOggOpus, readOggOpus } from './ogg-opus.ts'

const CLIP = new URL('../../simulator/speech/thanks.ogg', import.meta.url)

async function* inPieces(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function packetsOf(bytes: Buffer, size = bytes.length) {
  return Array.fromAsync(readOggOpus(inPieces(bytes, size)))
}

test('reads each packet of a clip, however the bytes arrive', async () => {
  const clip = await readFile(CLIP)
  const packets = await packetsOf(clip)
  expect(packets.length).toBeGreaterThan(250)
  expect(new Set(packets.map(({ samples }) => samples))).toEqual(new Set([960]))
  expect(await packetsOf(clip, 37)).toEqual(packets)
})

test.each([
  [0x08, 960], // SILK, 20 ms
  [0x10, 1920], // SILK, 40 ms
  [0x60, 480], // hybrid, 10 ms
  [0x80, 120], // CELT, 2.5 ms
  [0x99, 1920], // two frames of CELT, 20 ms
])('a packet that begins with %i lasts %i samples', async (first, samples) => {
  const packets = [Buffer.from('OpusHead'), Buffer.from('OpusTags'), Buffer.from([first, 0])]
  const header = Buffer.alloc(27)
  header.write('OggS')
  header[26] = packets.length
  const page = Buffer.concat([header, Buffer.from(packets.map(({ length }) => length)), ...packets])
  expect(await packetsOf(page)).toMatchObject([{ samples }])
})

test('refuses what is not Ogg, or not Opus', async () => {
  await expect(packetsOf(Buffer.from('RIFF and so on, which is something else'))).rejects.toThrow(NotOggOpus)
  const vorbis = (await readFile(CLIP)).subarray(0)
  const other = Buffer.from(vorbis.toString('latin1').replace('OpusHead', 'vorbis  '), 'latin1')
  await expect(packetsOf(other)).rejects.toThrow(NotOggOpus)
})
