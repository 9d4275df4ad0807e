import { write, writeSync } from 'node:fs'
import { setTimeout as delay, setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'

/** About 5,000 lines wait for a slow reader of the log. */
const MAX_WAITING_LENGTH = 1_000_000
const RETRY_MS = 100

const writeSome = promisify(write)

/**
 * Writes lines to a file or pipe without holding the event loop. Lines that cannot be written, as on a full disk, are
 * lost, and counted in front of the next one that can be: a server goes on without its log, and ends without it.
 */
export class LogOutput {
  readonly #fd: number
  #waiting = ''
  #lostLines = 0
  #isWriting = false
  #isLineOpen = false

  constructor(fd: number) {
    this.#fd = fd
    process.once('exit', () => this.#writeAtExit())
  }

  write(line: string): void {
    if (this.#waiting.length + line.length > MAX_WAITING_LENGTH) this.#lostLines++
    else this.#waiting += line
    if (!this.#isWriting) void this.#writeWaiting()
  }

  async #writeWaiting(): Promise<void> {
    this.#isWriting = true
    while (this.#waiting !== '') {
      await setImmediate() // lines of one moment are one write, and those of the last moment are left to the exit
      const [lines, lost] = [this.#waiting, this.#lostLines]
      this.#waiting = ''
      try {
        await this.#writeWhole(Buffer.from(this.#reportLost() + lines))
        this.#lostLines -= lost
      } catch {
        this.#lostLines += lines.split('\n').length - 1
      }
    }
    this.#isWriting = false
  }

  async #writeWhole(bytes: Buffer): Promise<void> {
    let rest = bytes
    while (rest.length > 0) {
      try {
        const { bytesWritten } = await writeSome(this.#fd, rest)
        this.#isLineOpen = rest.toString('latin1', bytesWritten - 1, bytesWritten) !== '\n'
        rest = rest.subarray(bytesWritten)
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error
        await delay(RETRY_MS)
      }
    }
  }

  /** Tries once, since nothing that keeps the log from being written may keep the process from ending. */
  #writeAtExit(): void {
    try {
      writeSync(this.#fd, this.#reportLost() + this.#waiting)
    } catch {}
  }

  #reportLost(): string {
    if (this.#lostLines === 0) return ''
    const lost = { level: 40, time: new Date().toISOString(), lines: this.#lostLines, msg: 'log.lines_lost' }
    return `${this.#isLineOpen ? '\n' : ''}${JSON.stringify(lost)}\n`
  }
}
