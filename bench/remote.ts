import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { z } from 'zod'

const Reply = z.object({ id: z.number(), result: z.unknown(), error: z.string().optional() })
const Call = z.object({ id: z.number(), name: z.string(), input: z.unknown() })

/** A program of the benchmark in a process of its own, so that what is measured shares no event loop with the load. */
export class Remote {
  readonly child: ChildProcess
  readonly #waiting = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>()
  #calls = 0

  constructor(file: string, execArgv: string[] = []) {
    this.child = fork(new URL(file, import.meta.url), { execArgv, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    this.child.on('message', (message) => {
      const { id, result, error } = Reply.parse(message)
      const asked = this.#waiting.get(id)
      this.#waiting.delete(id)
      if (error === undefined) asked?.resolve(result)
      else asked?.reject(new Error(error))
    })
    this.child.once('exit', (code) => {
      for (const asked of this.#waiting.values()) asked.reject(new Error(`${file} ended with ${code}`))
    })
  }

  async call<T extends z.ZodType>(answer: T, name: string, input: unknown = {}): Promise<z.output<T>> {
    const id = ++this.#calls
    const result = await new Promise<unknown>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      this.child.send({ id, name, input })
    })
    return answer.parse(result)
  }

  async end(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return
    this.#waiting.clear()
    const gone = once(this.child, 'exit')
    this.child.kill('SIGKILL')
    await gone
  }
}

/** The other side: answers each call by the job of its name, until the parent is gone. */
export function answerCalls(jobs: Record<string, (input: unknown) => unknown>): void {
  process.on('disconnect', () => process.exit(0))
  process.on('message', async (message) => {
    const { id, name, input } = Call.parse(message)
    try {
      process.send?.({ id, result: await jobs[name]?.(input) })
    } catch (error) {
      process.send?.({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
    }
  })
}
