import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serveLargeRecording } from './large-recording.ts'

// Streams a recording far larger than the memory limit of a real server process.

const MIB = 1024 ** 2
const SIZE = 192 * MIB
const audio = readFileSync(new URL('../../emulator/audio/opening.m4a', import.meta.url))
let large: Awaited<ReturnType<typeof serveLargeRecording>>

beforeAll(async () => {
  large = await serveLargeRecording(SIZE)
})
afterAll(() => large.close())

test('a large recording is never in memory as a whole, for a slow reader or a fast one', async () => {
  const { read, growth } = await large.growthWhileRead(1)
  expect(read).toBe(SIZE)
  expect(growth).toBeLessThan(SIZE / 2) // `npm run bench -- recording` measures it: under 32 MB
})

test('a range far into the file has the right bytes', async () => {
  const start = 150 * MIB
  const answer = await large.open({ range: `bytes=${start}-${start + 999}` })
  const headers = { 'content-range': `bytes ${start}-${start + 999}/${SIZE}` }
  expect(answer).toMatchObject({ statusCode: 206, headers })
  const from = start % audio.length
  const bytes = Buffer.concat(await answer.toArray())
  expect(bytes.equals(Buffer.concat([audio, audio]).subarray(from, from + 1000))).toBe(true)
})
