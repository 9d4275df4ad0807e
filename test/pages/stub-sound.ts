import { type Mock, vi } from 'vitest'

class FakeAudioContext {
  currentTime = 0
  destination = {}
  resume = async () => {}
  suspend = async () => {}
}

/** Gives the page a silent sound device. The returned mock is called for each note. */
export function stubSound(): Mock {
  const start = vi.fn()
  class FakeNode {
    gain = { setValueAtTime() {}, linearRampToValueAtTime() {} }
    connect = (next: unknown) => next
    start = start
    stop() {}
  }
  vi.stubGlobal('AudioContext', FakeAudioContext)
  vi.stubGlobal('OscillatorNode', FakeNode)
  vi.stubGlobal('GainNode', FakeNode)
  return start
}
