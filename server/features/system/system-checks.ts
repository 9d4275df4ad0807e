import { statfs } from 'node:fs/promises'
import type { SystemCheck } from '../../../shared/system.ts'
import type { Deps } from '../../deps.ts'
import { SingleFlight } from '../../lib/single-flight.ts'

/** Checks this server and what it uses. Callers at the same time share one run. */
export class SystemChecks {
  readonly #deps: Pick<Deps, 'config' | 'db' | 'secrets' | 'log'>
  readonly #runs = new SingleFlight<SystemCheck[]>()

  constructor(deps: Pick<Deps, 'config' | 'db' | 'secrets' | 'log'>) {
    this.#deps = deps
  }

  run(): Promise<SystemCheck[]> {
    const { config, db, secrets, log } = this.#deps
    return this.#runs.run('all', async () => {
      const { runChecks } = await import('./run-checks.ts') // with the client of Redis, which few servers need
      return runChecks({
        config,
        db: () => db,
        secrets: async () => secrets,
        isServed: true,
        log,
        measureDisk: (folder) => statfs(folder),
      })
    })
  }
}
