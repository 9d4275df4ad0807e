import type { ChildProcess } from 'node:child_process'
import { stopChild } from './child.ts'
import { askForHistory, type SiteUrls, STOP_TIMEOUT_MS, spawnServer } from './server.ts'

/** A server of several, with its own address. */
export class Node {
  readonly name: string
  readonly port: number
  /** Resolves when its process has ended. */
  ended: Promise<void> = Promise.resolve()
  readonly #env: NodeJS.ProcessEnv
  #child: ChildProcess | null = null

  constructor(name: string, port: number, env: NodeJS.ProcessEnv) {
    this.name = name
    this.port = port
    this.#env = { ...env, PORT: String(port) }
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }

  /** Starts or restarts its process. Resolves once it listens. */
  start(): Promise<SiteUrls> {
    const { child, ready } = spawnServer(this.#env, this.name)
    this.#child = child
    this.ended = new Promise((resolve) => child.once('exit', () => resolve()))
    return ready
  }

  async addHistory(hostId: string): Promise<void> {
    if (this.#child) await askForHistory(this.#child, hostId)
  }

  async stop(): Promise<void> {
    if (this.#child) await stopChild(this.#child, 'SIGTERM', STOP_TIMEOUT_MS)
  }

  kill(): void {
    this.#child?.kill('SIGKILL')
  }
}
