import { open, rm } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { PersonCommand } from '../features/person/command.ts'
import { openInstallation, printOutcome, runCommand } from './run-command.ts'

const USAGE = 'Use: npm run person -- export HOST_ID USER_ID FILE | erase HOST_ID USER_ID [--yes]'

const call = readArgs()
if (!call) {
  process.stderr.write(`${USAGE}\n`)
  process.exitCode = 2
} else if (call.file === undefined) await runCommand({ command: 'person', args: call.args })
else await exportTo(call.file, call.args)

function readArgs(): { args: PersonCommand; file?: string } | null {
  try {
    const { positionals, values } = parseArgs({
      options: { yes: { type: 'boolean', default: false } },
      allowPositionals: true,
    })
    const [action, host, user, file, ...more] = positionals
    const isExport = action === 'export'
    if (more.length > 0 || isExport !== (file !== undefined) || (isExport && values.yes)) return null
    const args = PersonCommand.safeParse({ action, host, user, ...(!isExport && { is_sure: values.yes }) }).data
    return args ? { args, ...(file !== undefined && { file }) } : null
  } catch {
    return null
  }
}

/** Makes the file first, for its owner alone, so that what cannot be written is not audited as exported. */
async function exportTo(path: string, args: PersonCommand): Promise<void> {
  await printOutcome(async (config) => {
    const file = await open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => error)
    if (file instanceof Error)
      return { refusal: `Not exported: ${file.code === 'EEXIST' ? `${path} exists.` : file.message}` }
    const installation = openInstallation(config)
    let isWritten = false
    try {
      const outcome = await installation.call({ command: 'person', args })
      if ('refusal' in outcome) return outcome
      const [line = '', text = ''] = outcome.lines
      await file.writeFile(text)
      await file.sync()
      isWritten = true
      return { lines: [line] }
    } finally {
      await file.close()
      if (!isWritten) await rm(path, { force: true })
      await installation.close()
    }
  })
}
