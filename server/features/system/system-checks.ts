import { statfs } from 'node:fs/promises'
import { MINUTE_MS } from '../../../shared/dates.ts'
import type { SystemCheck } from '../../../shared/system.ts'
import type { Deps } from '../../deps.ts'
import { SingleFlight } from '../../lib/single-flight.ts'
import type { Finding } from './check.ts'

const RECENT_MS = 10 * MINUTE_MS

export interface SystemFindings {
  checks: SystemCheck[]
  checkedAt: number
}

/** Checks this server and what it uses. Callers at the same time share one run. */
export class SystemChecks {
  readonly #deps: Pick<Deps, 'config' | 'db' | 'secrets' | 'log'>
  readonly #runs = new SingleFlight<SystemFindings>()
  readonly #begun = new SingleFlight<Finding>()
  #latest: SystemFindings | null = null

  constructor(deps: Pick<Deps, 'config' | 'db' | 'secrets' | 'log'>) {
    this.#deps = deps
  }

  run(): Promise<SystemFindings> {
    const { config, db, secrets, log } = this.#deps
    return this.#runs.run('all', async () => {
      const { runChecks } = await import('./run-checks.ts') // with the client of Redis, which few servers need
      const deps = {
        ...{ config, log, isServed: true },
        db: () => db,
        secrets: async () => secrets,
        measureDisk: (folder: string) => statfs(folder),
      }
      const checks = await runChecks(deps, this.#begun)
      this.#latest = { checks, checkedAt: Date.now() }
      return this.#latest
    })
  }

  /** Returns what this server found within the last ten minutes; else runs the checks. */
  async recent(): Promise<SystemFindings> {
    const isRecent = this.#latest && Date.now() - this.#latest.checkedAt < RECENT_MS
    return isRecent && this.#latest ? this.#latest : this.run()
  }
}
