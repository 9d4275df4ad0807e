import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Relay } from './relay.ts'
import { type OpusFrame, type Packet, VoiceTrack } from './voice-track.ts'

const QUIET = 80
const LOUD = 20
let speakers: string[][]
let relay: Relay
let held: string // hears nothing

beforeEach(() => {
  vi.useFakeTimers()
  speakers = []
  relay = new Relay({ now: Date.now, onSpeakers: (ids) => speakers.push(ids), mayHear: (id) => id !== held })
  held = ''
})
afterEach(() => {
  relay.close()
  vi.useRealTimers()
})

function listen(id: string, count = 2) {
  const heard: (Packet & { voice: number })[] = []
  const voices = Array.from(
    { length: count },
    (_, voice) => new VoiceTrack((packet) => heard.push({ ...packet, voice }), Date.now),
  )
  relay.addListener(id, { voices })
  return heard
}

function frame(number: number, level: number | null = LOUD): OpusFrame {
  return { payload: Buffer.from([number]), sequence: number & 0xffff, timestamp: (number * 960) >>> 0, level }
}

function speak(id: string, from: number, frames: number, level = LOUD) {
  for (let at = 0; at < frames; at++) {
    relay.forward(id, frame(from + at, level))
    vi.advanceTimersByTime(20)
  }
}

test('speech reaches everyone but the speaker', () => {
  const [ana, ben, kim] = [listen('ana'), listen('ben'), listen('kim')]
  speak('ana', 0, 5)
  expect(ana).toEqual([])
  for (const heard of [ben, kim]) expect(heard.map(({ payload }) => payload[0])).toEqual([0, 1, 2, 3, 4])
})

test('who is held hears nothing until admitted', () => {
  const ben = listen('ben')
  held = 'ben'
  speak('ana', 0, 5)
  expect(ben).toEqual([])
  held = ''
  speak('ana', 5, 2)
  expect(ben.map(({ payload }) => payload[0])).toEqual([5, 6])
})

test('a quiet room takes no voice, a pause within speech keeps it', () => {
  const ben = listen('ben')
  speak('ana', 0, 50, QUIET)
  expect(ben).toEqual([])
  speak('ana', 50, 2)
  speak('ana', 52, 20, QUIET)
  expect(ben).toHaveLength(22)
  speak('ana', 72, 60, QUIET)
  expect(ben.length).toBeLessThan(22 + 60)
})

test('one who is silenced is off at once, and what follows is silence', () => {
  const ben = listen('ben')
  speak('ana', 0, 5)
  relay.silence('ana')
  expect(ben.slice(5).map(({ payload }) => [...payload])).toEqual(Array(3).fill([0xf8, 0xff, 0xfe]))
  vi.advanceTimersByTime(1_000)
  expect(speakers.flat()).toEqual([])
})

test('speakers who follow each other on a voice leave no gap in its numbers', () => {
  const ben = listen('ben', 1)
  speak('ana', 65_530, 10) // across the wrap-around of the sequence numbers
  relay.silence('ana')
  vi.advanceTimersByTime(5000)
  speak('kim', 4_000_000, 5)
  const steps = ben.slice(1).map((packet, at) => (packet.sequence - (ben[at]?.sequence ?? 0)) & 0xffff)
  expect(new Set(steps)).toEqual(new Set([1]))
  const jumps = ben.slice(1).map((packet, at) => (packet.timestamp - (ben[at]?.timestamp ?? 0)) >>> 0)
  expect(new Set(jumps)).toEqual(new Set([960, 5000 * 48]))
  expect(ben.filter(({ marker }) => marker)).toHaveLength(2)
})

test('with all voices taken a further speaker waits until one is free', () => {
  const ben = listen('ben', 2)
  for (const id of ['ana', 'kim', 'lee']) relay.forward(id, frame(1))
  expect(ben).toHaveLength(2)
  relay.silence('ana')
  relay.forward('lee', frame(2))
  expect(ben.at(-1)).toMatchObject({ voice: 0, payload: Buffer.from([2]) })
})

test('who speaks is told at most five times a second, and not that nobody does', () => {
  speak('ana', 0, 50)
  expect(speakers.length).toBeGreaterThan(2)
  expect(speakers.length).toBeLessThanOrEqual(5)
  expect(speakers.every(([id]) => id === 'ana')).toBe(true)
  vi.advanceTimersByTime(10_000)
  expect(speakers.filter((ids) => ids.length === 0)).toEqual([])
  expect(speakers.length).toBeLessThan(12)
})
