import { afterEach, expect, test, vi } from 'vitest'
import { HeldMicrophone } from './held-microphone.ts'

/** Like the browser's: `enabled` is defined on the class, and a clone is a separate track. */
class Track extends EventTarget {
  isOpen = true
  muted = false
  get enabled() {
    return this.isOpen
  }
  set enabled(enabled: boolean) {
    this.isOpen = enabled
  }
  clone() {
    return cloneOf(this)
  }
  stop() {}
  silence(muted: boolean) {
    this.muted = muted
    this.dispatchEvent(new Event(muted ? 'mute' : 'unmute'))
  }
}

afterEach(() => {
  vi.useRealTimers()
})

const cloneOf = ({ isOpen }: Track) => Object.assign(new Track(), { isOpen })

function streamOf(track: Track): MediaStream {
  const stream = { getAudioTracks: () => [track], clone: () => streamOf(cloneOf(track)) }
  return stream as unknown as MediaStream
}

const trackOf = (stream: MediaStream) => stream.getAudioTracks()[0] as unknown as Track

test("is silent while it is held, whatever Zoom switches, and then as Zoom's program has left it", () => {
  const microphone = new HeldMicrophone()
  const track = trackOf(microphone.take(streamOf(new Track())))
  microphone.hold()
  expect(track.isOpen).toBe(false)
  track.enabled = false
  track.enabled = true
  expect([track.isOpen, track.enabled]).toEqual([false, true])
  microphone.release()
  expect(track.isOpen).toBe(true)
  microphone.hold()
  track.enabled = false
  microphone.release()
  expect(track.isOpen).toBe(false)
})

test('is silent too where Zoom takes it anew or clones it meanwhile', () => {
  const microphone = new HeldMicrophone()
  const first = microphone.take(streamOf(new Track()))
  microphone.hold()
  const tracks = [
    trackOf(microphone.take(streamOf(new Track()))),
    trackOf(first.clone()),
    trackOf(first).clone(),
    trackOf(first.clone()).clone(),
  ]
  for (const track of tracks) track.enabled = true
  expect(tracks.map(({ isOpen }) => isOpen)).toEqual([false, false, false, false])
  microphone.release()
  expect(tracks.map(({ isOpen }) => isOpen)).toEqual([true, true, true, true])
})

test('a clone that is made while it is held is open afterwards, as what it was made of', () => {
  const microphone = new HeldMicrophone()
  const stream = microphone.take(streamOf(new Track()))
  microphone.hold()
  const clones = [trackOf(stream.clone()), trackOf(stream).clone()]
  microphone.release()
  expect(clones.map(({ isOpen }) => isOpen)).toEqual([true, true])
})

test.each([
  ['has ended', (track: Track) => track.dispatchEvent(new Event('ended'))],
  ["Zoom's program has stopped", (track: Track) => track.stop()],
])('lets go of a track that %s, and holds those that go on', (_how, end) => {
  const microphone = new HeldMicrophone()
  const stream = microphone.take(streamOf(new Track()))
  const [track, clone] = [trackOf(stream), trackOf(stream).clone()]
  end(track)
  microphone.hold()
  expect([track.isOpen, clone.isOpen]).toEqual([true, false])
  microphone.release()
  expect([track.enabled, clone.isOpen]).toEqual([true, true])
})

test('is silenced once the system has silenced all its tracks for longer than a blip, until one is back', () => {
  vi.useFakeTimers()
  const states: boolean[] = []
  const microphone = new HeldMicrophone((isSilenced) => states.push(isSilenced))
  const take = () => trackOf(microphone.take(streamOf(new Track())))
  const first = take()
  first.silence(true)
  vi.advanceTimersByTime(1_000)
  first.silence(false)
  vi.advanceTimersByTime(10_000)
  expect(states).toEqual([])

  const second = take()
  first.silence(true) // by the second, as on an iPhone
  vi.advanceTimersByTime(10_000)
  expect(states).toEqual([])
  second.silence(true)
  vi.advanceTimersByTime(2_000)
  expect([states, microphone.isSilenced]).toEqual([[true], true])
  second.silence(false)
  expect([states, microphone.isSilenced]).toEqual([[true, false], false])
})

test.each([
  ['ends', (track: Track) => track.dispatchEvent(new Event('ended'))],
  ["is stopped by Zoom's program", (track: Track) => track.stop()],
])('is no longer silenced once the silent track %s', (_how, end) => {
  vi.useFakeTimers()
  const microphone = new HeldMicrophone()
  const track = trackOf(microphone.take(streamOf(new Track())))
  track.silence(true)
  vi.advanceTimersByTime(2_000)
  expect(microphone.isSilenced).toBe(true)
  end(track)
  expect(microphone.isSilenced).toBe(false)
})
