import { existsSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { BadSetting, type Config } from '../config.ts'
import { AppError } from '../errors.ts'
import { findEncryption } from '../features/backup/encryption.ts'
import { makeBackup } from '../features/backup/make-backup.ts'
import { lowerPriority } from '../lib/lower-priority.ts'
import type { CommandOutcome } from './execute.ts'
import { openInstallation, printLine, printOutcome, refusalIn } from './run-command.ts'

const USAGE = 'Use: npm run backup -- FILE [--without-key] [--json]'

lowerPriority() // a meeting goes on meanwhile
const args = readArgs()
if (args) await printOutcome((config) => backUp(config, args))
else {
  process.stderr.write(`${USAGE}\n`)
  process.exitCode = 2
}

interface Args {
  file: string
  withKey: boolean
  isJson: boolean
}

function readArgs(): Args | null {
  try {
    const flag = { type: 'boolean', default: false } as const
    const { positionals, values } = parseArgs({
      options: { 'without-key': flag, json: flag },
      allowPositionals: true,
    })
    const [file, ...more] = positionals
    return file && more.length === 0 ? { file, withKey: !values['without-key'], isJson: values.json } : null
  } catch {
    return null
  }
}

async function backUp(config: Config, { file, withKey, isJson }: Args): Promise<CommandOutcome> {
  const encryption = findEncryption(config)
  if (!encryption) throw new BadSetting('Not backed up: set BACKUP_RECIPIENTS or BACKUP_PASSPHRASE.')
  if (existsSync(file)) return { refusal: `Not backed up: ${file} exists.` }
  const installation = openInstallation(config)
  const call = async (args: unknown) => {
    const outcome = await installation.call({ command: 'backup', args })
    if ('refusal' in outcome) throw new AppError('conflict', outcome.refusal)
    return outcome.lines
  }
  const left = [`${resolve(file)}.part`]
  process.once('exit', () => {
    for (const path of left) rmSync(path, { recursive: true, force: true }) // of a run that a signal or its database ends
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  try {
    await call({ action: 'find_listed', paths: [] }) // refuses a database of another release, which may have other tables
    const onCopy = (folder: string) => void left.push(folder)
    const summary = await makeBackup({ config, file, withKey, encryption, call, onCopy })
    left.length = 0
    const { tables, rows, files, bytes } = summary
    await call({ action: 'record_made', after: { tables, rows, files, bytes } }).catch((error: unknown) => {
      printLine(`The audit could not record it: ${reasonOf(error)}.`)
    })
    if (isJson) return { lines: [JSON.stringify({ file, tables, rows, files, bytes, has_key: withKey })] }
    const size = `${(bytes / 1_000_000).toFixed(1)} MB`
    const lines = [
      `Backup written: ${file}, ${tables} tables, ${rows} rows, ${files} files, ${size}, ${encryption.words}.`,
    ]
    if (!withKey) lines.push('The key is not in it: keep SECRET_KEY, or DATA_DIR/secret.key, apart from it.')
    return { lines }
  } catch (error) {
    left.length = 0
    const reason = reasonOf(error)
    await call({ action: 'record_failed', reason }).catch(() => {}) // the database may be what failed
    return { refusal: `Backup failed: ${reason}. ${file} was not written.` }
  } finally {
    await installation.close()
  }
}

/** Returns a reason without its full stop. */
function reasonOf(error: unknown): string {
  return (refusalIn(error) ?? (error instanceof Error ? error.message : String(error))).replace(/\.$/, '')
}
