import type { Page } from '@playwright/test'

/** Levels in dBFS of one frequency: a tone below SILENT is not heard, one above HEARD is. */
const SILENT = -60
const HEARD = -40

interface Sample {
  at: number // in the format of Date.now()
  levels: number[] // one for each frequency
}

declare const window: Window & { tones?: Sample[] }

/** Records from now on how loudly a page plays each of these frequencies, by which is told who is heard. */
export class ToneRecorder {
  readonly #page: Page
  readonly #frequencies: readonly number[]

  private constructor(page: Page, frequencies: readonly number[]) {
    this.#page = page
    this.#frequencies = frequencies
  }

  static async start(page: Page, frequencies: readonly number[]): Promise<ToneRecorder> {
    await page.waitForFunction(() => document.querySelector('audio')?.srcObject instanceof MediaStream)
    await page.evaluate((wanted) => {
      const context = new AudioContext()
      const analysers = [...document.querySelectorAll('audio')].flatMap(({ srcObject }) => {
        if (!(srcObject instanceof MediaStream)) return []
        const analyser = new AnalyserNode(context, { fftSize: 8192, smoothingTimeConstant: 0 })
        context.createMediaStreamSource(srcObject).connect(analyser)
        return [analyser]
      })
      const samples: Sample[] = []
      window.tones = samples
      setInterval(() => {
        const levels = wanted.map(() => -120)
        for (const analyser of analysers) {
          const bins = new Float32Array(analyser.frequencyBinCount)
          analyser.getFloatFrequencyData(bins)
          for (const [at, frequency] of wanted.entries()) {
            const bin = Math.round((frequency * analyser.fftSize) / context.sampleRate)
            levels[at] = Math.max(levels[at] ?? -120, ...bins.subarray(bin - 1, bin + 2))
          }
        }
        samples.push({ at: Date.now(), levels })
      }, 40)
    }, frequencies)
    return new ToneRecorder(page, frequencies)
  }

  /** Waits until all of these are heard from now on. */
  async hears(...frequencies: number[]): Promise<void> {
    await this.#page.waitForFunction(
      ([since, wanted, known, limit]) =>
        wanted.every((frequency) => {
          const index = known.indexOf(frequency)
          return window.tones?.some(({ at, levels }) => at >= since && (levels[index] ?? -120) > limit)
        }),
      [Date.now(), frequencies, this.#frequencies, HEARD] as const,
    )
  }

  /** Returns those of the frequencies that are not silent in this period; waits for its end. */
  async heard(from: number, to: number, ...frequencies: number[]): Promise<number[]> {
    const samples = await this.#samples(from, to)
    return frequencies.filter((frequency) => {
      const index = this.#frequencies.indexOf(frequency)
      return samples.some(({ levels }) => (levels[index] ?? -120) > SILENT)
    })
  }

  /** Returns when any of the frequencies was last heard in this period; waits for its end. */
  async lastHeard(from: number, to: number): Promise<number> {
    const samples = await this.#samples(from, to)
    return samples.findLast(({ levels }) => levels.some((level) => level > SILENT))?.at ?? from
  }

  async #samples(from: number, to: number): Promise<Sample[]> {
    await this.#page.waitForFunction((end) => (window.tones?.at(-1)?.at ?? 0) > end, to)
    const samples = await this.#page.evaluate(() => window.tones ?? [])
    return samples.filter(({ at }) => at >= from && at <= to)
  }
}
