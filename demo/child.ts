import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { z } from 'zod'

const root = fileURLToPath(new URL('..', import.meta.url))

/** `label` prefixes each line of its output. */
export type ChildOptions = { args?: string[]; env: NodeJS.ProcessEnv; quiet?: boolean; label?: string }

/**
 * Starts one of our programs with an IPC channel. It has its own process group, so that Ctrl-C only reaches this
 * process, which stops the others in order. If this process is killed, they detect the closed channel.
 */
export function startChild(program: string, { args = [], env, quiet = false, label }: ChildOptions): ChildProcess {
  const output = label === undefined ? 'inherit' : 'pipe'
  const child = spawn(process.execPath, [program, ...args], {
    cwd: root,
    env,
    detached: process.platform !== 'win32',
    stdio: ['ignore', quiet ? 'ignore' : output, output, 'ipc'],
  })
  for (const stream of [child.stdout, child.stderr])
    if (stream) createInterface(stream).on('line', (line) => process.stderr.write(`${label}  ${line}\n`))
  return child
}

/** Thrown when a program has ended; it has printed the reason itself. */
export class ProgramEndedError extends Error {}

/** Resolves with the child's next message that matches the schema. */
export function waitForMessage<T extends z.ZodType>(child: ChildProcess, schema: T): Promise<z.output<T>> {
  const { promise, resolve, reject } = Promise.withResolvers<z.output<T>>()
  child.on('message', (message) => {
    const result = schema.safeParse(message)
    if (result.success) resolve(result.data)
  })
  child.once('exit', () => reject(new ProgramEndedError('The program has ended')))
  promise.catch(() => {}) // for callers that watch the child instead of awaiting this
  return promise
}

/** Closes the channel or sends a signal, and kills the child after a timeout. */
export async function stopChild(child: ChildProcess, how: 'disconnect' | NodeJS.Signals, withinMs: number) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const { promise: exited, resolve } = Promise.withResolvers<void>()
  child.once('exit', () => resolve())
  const insist = setTimeout(() => child.kill('SIGKILL'), withinMs)
  if (how !== 'disconnect') child.kill(how)
  else if (child.connected) child.disconnect()
  await exited
  clearTimeout(insist)
}
