import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** Starts a virtual display, for a browser without a headless mode. */
export async function startScreen(): Promise<{ display: string; stop: () => Promise<void> }> {
  const args = ['-displayfd', '3', '-screen', '0', '2048x1200x24', '-nolisten', 'tcp']
  const screen = spawn('Xvfb', args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] })
  const numbers = screen.stdio[3]
  if (!numbers || !('read' in numbers)) throw new Error('Xvfb has no pipe for its number')
  const [number] = await once(createInterface(numbers), 'line')
  return {
    display: `:${number}`,
    async stop() {
      screen.kill()
      if (screen.exitCode === null && screen.signalCode === null) await once(screen, 'exit')
    },
  }
}
