import { z } from 'zod'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import { BackupCommand, backupCommand } from '../features/backup/command.ts'
import { MasterCommand, masterCommand } from '../features/masters/command.ts'
import { PersonCommand, personCommand } from '../features/person/command.ts'
import type { PersonDeps } from '../features/person/erase-person.ts'

/** A running server has more of it. */
export type CommandDeps = PersonDeps & Partial<Pick<Deps, 'systemChecks'>>

/** `args` are those of the command's own schema. */
export const CommandCall = z.object({ command: z.string(), args: z.unknown() })
export type CommandCall = z.infer<typeof CommandCall>

/** `lines` go to standard output. A refusal is one line for standard error. */
export const CommandOutcome = z.union([z.object({ lines: z.array(z.string()) }), z.object({ refusal: z.string() })])
export type CommandOutcome = z.infer<typeof CommandOutcome>

const COMMANDS: Record<string, (deps: CommandDeps, args: unknown) => Promise<string[]>> = {
  backup: (deps, args) => backupCommand(deps, BackupCommand.parse(args)),
  doctor: async ({ systemChecks }) => (systemChecks ? [JSON.stringify((await systemChecks.run()).checks)] : []),
  master: (deps, args) => masterCommand(deps, MasterCommand.parse(args)),
  person: (deps, args) => personCommand(deps, PersonCommand.parse(args)),
}

/** Runs a command by its name, in the server or in the program that was started for it. */
export async function execute(deps: CommandDeps, { command, args }: CommandCall): Promise<CommandOutcome> {
  const run = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined // every object has a "constructor"
  if (!run) return { refusal: `The server that runs does not know the command "${command}". Restart it.` }
  try {
    return { lines: await run(deps, args) }
  } catch (error) {
    if (error instanceof AppError) return { refusal: error.message }
    throw error
  }
}
