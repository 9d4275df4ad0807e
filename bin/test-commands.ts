import { spawn } from 'node:child_process'
import { once } from 'node:events'

// Shows that the commands which can destroy data do not: backup, restore, move-to-postgres, rotate-key, person.
//
//     npm run test:commands                              each killed at 20 random moments, each fault, and the scenario
//     npm run test:commands -- kills                     one part of it: kills, faults or scenario; several can be named
//     npm run test:commands -- 5 "move-to-postgres"      five kills of this command; several can be named
//     COMMAND_SEED=7 npm run test:commands               repeats the moments of another run
//
// An unknown name lists the existing ones. Needs a C compiler, to simulate full disks.

const PARTS = ['kills', 'faults', 'scenario']

const args = process.argv.slice(2)
const isNumber = (arg: string) => /^\d+$/.test(arg)
const chosen = args.filter((arg) => PARTS.includes(arg))
const commands = args.filter((arg) => !isNumber(arg) && !PARTS.includes(arg))
const parts = chosen.length > 0 ? chosen : commands.length > 0 ? ['kills'] : PARTS
const env = {
  ...process.env,
  COMMANDS: commands.join('\n'),
  COMMAND_ROUNDS: args.find(isNumber) ?? '20',
}
const files = parts.map((part) => `test/commands/${part}.test.ts`)
const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'processes', ...files]
const [code] = await once(spawn(process.execPath, vitest, { stdio: 'inherit', env }), 'exit')
process.exitCode = code ?? 1
