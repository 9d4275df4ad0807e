import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

export type StartChild = { args?: string[]; env: NodeJS.ProcessEnv; quiet?: boolean }

/**
 * Starts one of our programs with an IPC channel. It has its own process group, so that Ctrl-C reaches this process
 * alone, which stops the others in order. If this process is killed, they see the channel close.
 */
export function startChild(program: string, { args = [], env, quiet = false }: StartChild): ChildProcess {
  return spawn(process.execPath, [program, ...args], {
    cwd: root,
    env,
    detached: process.platform !== 'win32',
    stdio: ['ignore', quiet ? 'ignore' : 'inherit', 'inherit', 'ipc'],
  })
}

/** Closes the channel or sends a signal, then kills the child if it takes too long. */
export async function stopChild(child: ChildProcess, how: 'disconnect' | 'SIGTERM', withinMs: number) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const { promise: exited, resolve } = Promise.withResolvers<void>()
  child.once('exit', () => resolve())
  const insist = setTimeout(() => child.kill('SIGKILL'), withinMs)
  if (how === 'SIGTERM') child.kill('SIGTERM')
  else if (child.connected) child.disconnect()
  await exited
  clearTimeout(insist)
}
