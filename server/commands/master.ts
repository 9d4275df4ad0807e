import { parseArgs } from 'node:util'
import { MasterCommand } from '../features/masters/command.ts'
import { runCommand } from './run-command.ts'

const USAGE = 'Use: npm run master -- list | invite EMAIL | reset EMAIL [--remove-second-factor] | remove EMAIL'

const args = readArgs()
if (args) await runCommand({ command: 'master', args })
else {
  process.stderr.write(`${USAGE}\n`)
  process.exitCode = 2
}

function readArgs(): MasterCommand | null {
  try {
    const options = { 'remove-second-factor': { type: 'boolean', default: false } } as const
    const { positionals, values } = parseArgs({ options, allowPositionals: true })
    const [action, email, ...more] = positionals
    const removes_second_factor = values['remove-second-factor']
    if (more.length > 0 || (removes_second_factor && action !== 'reset') || (action === 'list' && email)) return null
    return MasterCommand.safeParse({ action, email, removes_second_factor }).data ?? null
  } catch {
    return null
  }
}
