import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { PersonCommand } from '../features/person/command.ts'
import { writeWhole } from '../lib/durable-files.ts'
import { openInstallation, printOutcome, refusalIn, runCommand } from './run-command.ts'

/** The command refuses; the message is the whole line. */
class Refused extends Error {}

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
    if (existsSync(path)) return { refusal: `Not exported: ${path} exists.` }
    const installation = openInstallation(config)
    try {
      const line = await writeWhole(path, async (file) => {
        const outcome = await installation.call({ command: 'person', args })
        if ('refusal' in outcome) throw new Refused(outcome.refusal)
        const [first = '', text = ''] = outcome.lines
        await file.writeFile(text)
        return first
      })
      return { lines: [line] }
    } catch (error) {
      if (error instanceof Refused) return { refusal: error.message }
      if (!(error instanceof Error) || refusalIn(error) !== null) throw error
      return { refusal: `Not exported: ${error.message}. ${path} was not written.` }
    } finally {
      await installation.close()
    }
  })
}
