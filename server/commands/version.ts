import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import packageJson from '../../package.json' with { type: 'json' }

// Prints a line such as `parley 0.2.0 (abc1234)`. Imports no package, so that it runs before any is installed.

const REPOSITORY = fileURLToPath(new URL('../../.git', import.meta.url))

/** An image has no repository, and is given its commit when it is built. */
const commit = process.env.PARLEY_COMMIT || readCommit()

process.stdout.write(`parley ${packageJson.version}${commit ? ` (${commit})` : ''}\n`)

/** Returns null outside of a clone, or without git. A repository that holds the folder of a release does not count. */
function readCommit(): string | null {
  const args = [`--git-dir=${REPOSITORY}`, 'rev-parse', '--short=7', 'HEAD']
  try {
    return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], timeout: 5_000 }).trim()
  } catch {
    return null
  }
}
