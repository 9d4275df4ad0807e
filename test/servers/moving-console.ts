import { expect } from 'vitest'
import { ConsoleRecord } from '../faults/console-record.ts'
import { type OpenStream, openStream, type StreamEvent } from './stream.ts'

/** A console whose stream moves between servers. */
export class MovingConsole {
  readonly #path: string
  readonly #record = new ConsoleRecord()
  #stream: OpenStream | null = null

  /** `path` is the address of its stream, which is the same on all servers. */
  constructor(path: string) {
    this.#path = path
  }

  /** Events that were missing, duplicated or late. */
  get faults(): string[] {
    return this.#record.faults
  }

  /** Resumes after the last event of any previous stream. */
  async openAt({ port }: { port: number }): Promise<void> {
    await this.leave()
    const { lastId } = this.#record
    this.#stream = await openStream(`http://127.0.0.1:${port}${this.#path}`, lastId ?? undefined)
    const { id } = await this.#stream.next('test')
    expect(id).toBe(lastId ?? id)
  }

  async next(name: string, data: Record<string, unknown>): Promise<StreamEvent> {
    if (!this.#stream) throw new Error('The console has no stream')
    return this.#stream.next(name, data)
  }

  async leave(): Promise<void> {
    const stream = this.#stream
    this.#stream = null
    stream?.close()
    await stream?.ended
    this.#record.follow(stream?.received.map(({ id }) => id) ?? [])
  }
}
