import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import packageJson from '../../package.json' with { type: 'json' }

// Imports no package, so that `--version` works before any is installed.

const REPOSITORY = join(import.meta.dirname, '../../.git')

/** Reads such as `0.2.0 (abc1234)`. An image has no repository, and is given its commit when it is built. */
export function ownVersion(): string {
  const commit = ownCommit()
  return `${packageJson.version}${commit ? ` (${commit})` : ''}`
}

let commitRead: string | null | undefined

/** Null where it is unknown. Read once: the repository may move on while the server runs. */
export function ownCommit(): string | null {
  if (commitRead === undefined) commitRead = process.env.PARLEY_COMMIT || readCommit()
  return commitRead
}

/** Returns null outside of a clone, or without git. A repository that holds the folder of a release does not count. */
function readCommit(): string | null {
  const args = [`--git-dir=${REPOSITORY}`, 'rev-parse', '--short=7', 'HEAD']
  try {
    return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], timeout: 5_000 }).trim()
  } catch {
    return null
  }
}
