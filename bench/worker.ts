import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { z } from 'zod'

const Reply = z.object({ id: z.number(), result: z.unknown().optional(), error: z.string().optional() })
const Call = z.object({ id: z.number(), name: z.string(), input: z.unknown().optional() })

/** A process of its own, so that what is measured shares no event loop with the load. */
export class Worker {
  readonly child: ChildProcess
  readonly pid: number
  readonly #pending = new Map<number, PromiseWithResolvers<unknown>>()
  #calls = 0

  constructor(file: string) {
    this.child = fork(new URL(file, import.meta.url), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    this.pid = this.child.pid ?? 0
    this.child.on('message', (message) => {
      const { id, result, error } = Reply.parse(message)
      const call = this.#pending.get(id)
      this.#pending.delete(id)
      if (error === undefined) call?.resolve(result)
      else call?.reject(new Error(error))
    })
    this.child.once('exit', (code) => {
      for (const call of this.#pending.values()) call.reject(new Error(`${file} ended with ${code}`))
    })
  }

  async call<T extends z.ZodType>(Result: T, name: string, input: unknown = {}): Promise<z.output<T>> {
    const id = ++this.#calls
    const call = Promise.withResolvers<unknown>()
    this.#pending.set(id, call)
    this.child.send({ id, name, input })
    return Result.parse(await call.promise)
  }

  async end(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return
    this.#pending.clear()
    const gone = once(this.child, 'exit')
    this.child.kill('SIGKILL')
    await gone
  }
}

/** The worker's side: runs the job that a call names, until the parent is gone. */
export function runJobs(jobs: Record<string, (input: unknown) => unknown>): void {
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
