import { writeFile } from 'node:fs/promises'
import type { Frame, Page } from '@playwright/test'

const RATE = 48_000
const SECONDS = 6
const HERTZ = 440
const AMPLITUDE = 0.4
/** The share of each second with sound, which imitates speech with pauses. */
const LOUD_PART = 0.6
const HEADER = 44

/** Longer than a pause between bursts, so silence of this length is real. */
const WINDOW_MS = 1200

/** Levels in dBFS: anything below SILENT_DBFS is silence, anything above LOUD_DBFS is a voice. */
export const SILENT_DBFS = -60
export const LOUD_DBFS = -35

/** Chromium's arguments to play this file as its microphone, without a permission prompt. */
export const microphoneArgs = (path: string) => [
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
  `--use-file-for-fake-audio-capture=${path}`,
]

/** Writes a file of tone bursts for a fake microphone. */
export async function wavOfBursts(path: string): Promise<void> {
  const samples = RATE * SECONDS
  const wav = Buffer.alloc(HEADER + samples * 2)
  wav.write('RIFF', 0)
  wav.writeUInt32LE(wav.length - 8, 4)
  wav.write('WAVEfmt ', 8)
  wav.writeUInt32LE(16, 16)
  wav.writeUInt16LE(1, 20) // PCM
  wav.writeUInt16LE(1, 22) // mono
  wav.writeUInt32LE(RATE, 24)
  wav.writeUInt32LE(RATE * 2, 28)
  wav.writeUInt16LE(2, 32)
  wav.writeUInt16LE(16, 34)
  wav.write('data', 36)
  wav.writeUInt32LE(samples * 2, 40)
  for (let at = 0; at < samples; at++) {
    const seconds = at / RATE
    const isLoud = seconds % 1 < LOUD_PART
    wav.writeInt16LE(
      isLoud ? Math.round(32_767 * AMPLITUDE * Math.sin(2 * Math.PI * HERTZ * seconds)) : 0,
      HEADER + at * 2,
    )
  }
  await writeFile(path, wav)
}

/** Returns each frequency's loudest level in dBFS that the page plays within a little over a second, to tell who is heard. */
export function tonesPlayed(page: Page | Frame, frequencies: number[]): Promise<number[]> {
  return page.evaluate(
    async ([wanted, windowMs]) => {
      const context = new AudioContext()
      const analysers = [...document.querySelectorAll('audio')].flatMap((audio) => {
        if (audio.paused || audio.muted || !(audio.srcObject instanceof MediaStream)) return []
        const analyser = new AnalyserNode(context, { fftSize: 8192, smoothingTimeConstant: 0 })
        context.createMediaStreamSource(audio.srcObject).connect(analyser)
        return [analyser]
      })
      const loudest = wanted.map(() => -120)
      const until = performance.now() + windowMs
      while (performance.now() < until) {
        for (const analyser of analysers) {
          const levels = new Float32Array(analyser.frequencyBinCount)
          analyser.getFloatFrequencyData(levels)
          for (const [at, frequency] of wanted.entries()) {
            const bin = Math.round((frequency * analyser.fftSize) / context.sampleRate)
            loudest[at] = Math.max(loudest[at] ?? -120, ...levels.subarray(bin - 1, bin + 2))
          }
        }
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      await context.close()
      return loudest.map(Math.round)
    },
    [frequencies, WINDOW_MS] as const,
  )
}

/** Returns the loudest level in dBFS that the page or frame plays within a little over a second; silence is -120. */
export function levelPlayed(page: Page | Frame): Promise<number> {
  return page.evaluate(async (windowMs) => {
    const context = new AudioContext()
    const analysers = [...document.querySelectorAll('audio')].flatMap((audio) => {
      if (audio.paused || audio.muted || !(audio.srcObject instanceof MediaStream)) return []
      const analyser = context.createAnalyser()
      context.createMediaStreamSource(audio.srcObject).connect(analyser)
      return [analyser]
    })
    let loudest = 0
    const until = performance.now() + windowMs
    while (performance.now() < until) {
      for (const analyser of analysers) {
        const samples = new Float32Array(analyser.fftSize)
        analyser.getFloatTimeDomainData(samples)
        const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length
        loudest = Math.max(loudest, Math.sqrt(power))
      }
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    await context.close()
    return Math.max(-120, Math.round(20 * Math.log10(loudest)))
  }, WINDOW_MS)
}
