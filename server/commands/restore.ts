import { rmSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { BadSetting, type Config } from '../config.ts'
import { requireFinishedKey, requireNotMoved } from '../db/data-dir-marks.ts'
import { restoringIn } from '../db/replace-database.ts'
import { findEncryption, readDecrypter } from '../features/backup/encryption.ts'
import { ForeignTables } from '../features/backup/own-tables.ts'
import { type CheckedBackup, checkBackup, NotRestored } from '../features/backup/read-backup.ts'
import { OutcomeUnknown, type Restored, restoreBackup } from '../features/backup/restore-backup.ts'
import type { CommandOutcome } from './execute.ts'
import { InstallationInUse, lockInstallation } from './lock-installation.ts'
import { printLine, printOutcome, refusalIn } from './run-command.ts'

const USAGE = 'Use: npm run restore -- FILE [--identity KEYFILE] [--check] [--replace]'

const args = readArgs()
if (args) await printOutcome((config) => restore(config, args))
else {
  process.stderr.write(`${USAGE}\n`)
  process.exitCode = 2
}

interface Args {
  file: string
  identity: string | null
  isCheck: boolean
  mayReplace: boolean
}

function readArgs(): Args | null {
  try {
    const flag = { type: 'boolean', default: false } as const
    const options = { identity: { type: 'string' }, check: flag, replace: flag } as const
    const { positionals, values } = parseArgs({ options, allowPositionals: true })
    const [file, ...more] = positionals
    if (!file || more.length > 0 || (values.check && values.replace)) return null
    return { file, identity: values.identity ?? null, isCheck: values.check, mayReplace: values.replace }
  } catch {
    return null
  }
}

async function restore(config: Config, args: Args): Promise<CommandOutcome> {
  try {
    if (args.isCheck) return { lines: [wholeLine(await check(config, args))] }
    const release = await lockInstallation(config, 'Not restored')
    try {
      requireFinishedKey(config.DATA_DIR)
      requireNotMoved(config)
      return { lines: await replace(config, args) }
    } finally {
      await release()
    }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    if (error instanceof OutcomeUnknown) return { refusal: error.message }
    if (error instanceof BadSetting) process.exitCode = 2
    const isReason = [NotRestored, InstallationInUse, ForeignTables].some((kind) => error instanceof kind)
    const reason = (isReason ? null : refusalIn(error)) ?? error.message
    return { refusal: `Not restored: ${reason.replace(/\.$/, '')}.` }
  }
}

async function check(config: Config, { file, identity }: Args): Promise<CheckedBackup> {
  return checkBackup(file, await readDecrypter(config, identity))
}

async function replace(config: Config, args: Args): Promise<string[]> {
  const { file, mayReplace, identity } = args
  const backup = await check(config, args)
  const restored = await restoreBackup({
    config,
    file,
    decrypter: await readDecrypter(config, identity),
    backup,
    mayReplace,
    encryption: findEncryption(config),
    onPanic(reason) {
      rmSync(restoringIn(config.DATA_DIR), { recursive: true, force: true })
      printLine(`Not restored: ${reason}.`)
      process.exit(1)
    },
  })
  return [`Restored ${file}: ${figures(backup)}. All sessions were ended.`, ...advice(config, restored)]
}

function wholeLine(backup: CheckedBackup): string {
  const { made_at, version } = backup.about
  return `Backup is whole: made ${made_at.slice(0, 16).replace('T', ' ')} UTC by Parley ${version}, ${figures(backup)}.`
}

function figures({ manifest, rows }: CheckedBackup): string {
  return `${manifest.tables.length} tables, ${rows} rows, ${manifest.files} files`
}

function advice({ DATA_DIR, REDIS_URL }: Config, { zoomHosts, unreadableSecrets, kept }: Restored): string[] {
  const lines = [
    'Passwords, second factors and recovery codes are those of that time: what was changed since is valid again.',
  ]
  if (zoomHosts > 0) lines.push(`${zoomHosts} ${zoomHosts === 1 ? 'host' : 'hosts'} may have to connect Zoom again.`)
  if (unreadableSecrets > 0)
    lines.push(`${unreadableSecrets} secrets in it were under a third key, and cannot be read here either.`)
  if (kept.length > 0) lines.push(`What was there before is in ${DATA_DIR}: ${kept.join(', ')}.`)
  if (REDIS_URL) lines.push('Empty Redis before a server starts: redis-cli FLUSHALL.')
  return lines
}
