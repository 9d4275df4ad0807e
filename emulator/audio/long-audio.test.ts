import { expect, test } from 'vitest'
import { audioFiles } from './audio.ts'
import { LongAudio } from './long-audio.ts'

const bytesOf = (audio: LongAudio, start: number, end: number) => Buffer.concat([...audio.read(start, end)])

/** Returns the content of the first box with this name, at any depth. */
function boxes(file: Buffer, name: string) {
  const at = file.indexOf(name, 0, 'latin1')
  return file.subarray(at + 4, at - 4 + file.readUInt32BE(at - 4))
}

test.each(audioFiles.map(({ name }) => name))('%s plays as long as it says', (name) => {
  for (const seconds of [1, 47, 600]) {
    const audio = new LongAudio(name, seconds)
    const file = bytesOf(audio, 0, audio.size - 1)
    expect(file).toHaveLength(audio.size)
    const rate = boxes(file, 'mdhd').readUInt32BE(12)
    expect(boxes(file, 'mdhd').readUInt32BE(16) / rate).toBeCloseTo(seconds, 0)

    const sizes = boxes(file, 'stsz')
    const count = sizes.readUInt32BE(8)
    expect((count * 1024) / rate).toBeCloseTo(seconds, 0)
    const total = Array.from({ length: count }, (_, at) => sizes.readUInt32BE(12 + at * 4)).reduce(
      (sum, one) => sum + one,
    )
    const first = boxes(file, 'stco').readUInt32BE(8)
    expect(file.toString('latin1', first - 4, first)).toBe('mdat')
    expect(first + total).toBe(file.length)
  }
})

test('any range is a part of the whole', () => {
  const audio = new LongAudio('opening.m4a', 75)
  const file = bytesOf(audio, 0, audio.size - 1)
  for (const [start, end] of [
    [0, 0],
    [5, 90],
    [1000, 200_000],
    [audio.size - 1, audio.size - 1],
    [160_000, audio.size - 1],
  ] as const)
    expect(bytesOf(audio, start, end).equals(file.subarray(start, end + 1))).toBe(true)
})
