import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { State } from './state.ts'

const SAVE_AFTER_MS = 100

/** Persists accounts, tokens, meetings and recordings across restarts. Does nothing without a path. */
export function openStateFile(path: string | undefined) {
  let due: NodeJS.Timeout | undefined
  let latest: State | undefined

  function flush(state: State) {
    clearTimeout(due)
    due = undefined
    if (path === undefined) return
    // The old file stays intact until the new one is complete.
    writeFileSync(`${path}.new`, JSON.stringify(state), { mode: 0o600 })
    renameSync(`${path}.new`, path)
  }

  return {
    load() {
      if (path === undefined || !existsSync(path)) return undefined
      try {
        return State.parse(JSON.parse(readFileSync(path, 'utf8')))
      } catch {
        throw new Error(`${path} is not a state file of this emulator: move it away to start afresh.`)
      }
    },
    save(state: State) {
      latest = state
      due ??= setTimeout(() => latest && flush(latest), SAVE_AFTER_MS)
    },
    flush,
  }
}
