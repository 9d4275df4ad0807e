import type { Frame } from '@playwright/test'

interface Sample {
  at: number // in the format of Date.now()
  dbfs: number
}

declare const window: Window & { levels?: Sample[] }

/** Records the level of everything that the frame plays from now on. */
export class LevelRecorder {
  readonly #frame: Frame

  private constructor(frame: Frame) {
    this.#frame = frame
  }

  static async start(frame: Frame): Promise<LevelRecorder> {
    await frame.evaluate(() => {
      const context = new AudioContext()
      const analysers = [...document.querySelectorAll('audio')].flatMap(({ srcObject }) => {
        if (!(srcObject instanceof MediaStream)) return []
        const analyser = context.createAnalyser()
        context.createMediaStreamSource(srcObject).connect(analyser)
        return [analyser]
      })
      const samples: Sample[] = []
      window.levels = samples
      setInterval(() => {
        const powers = analysers.map((analyser) => {
          const wave = new Float32Array(analyser.fftSize)
          analyser.getFloatTimeDomainData(wave)
          return wave.reduce((sum, value) => sum + value * value, 0) / wave.length
        })
        samples.push({ at: Date.now(), dbfs: 10 * Math.log10(Math.max(1e-12, ...powers)) })
      }, 20)
    })
    return new LevelRecorder(frame)
  }

  /** Returns the loudest level of this period in dBFS; waits for its end. */
  async loudest(from: number, to: number): Promise<number> {
    await this.#frame.waitForFunction((end) => (window.levels?.at(-1)?.at ?? 0) > end, to)
    const samples = await this.#frame.evaluate(() => window.levels ?? [])
    return Math.max(...samples.filter(({ at }) => at >= from && at <= to).map(({ dbfs }) => dbfs))
  }
}
