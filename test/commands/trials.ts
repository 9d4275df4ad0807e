import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Decrypter } from 'age-encryption'
import { z } from 'zod'
import { checkBackup } from '../../server/features/backup/read-backup.ts'
import { emptyRows } from '../../server/features/person/erase-person.ts'
import { inDatabaseOf } from '../processes/backup-world.ts'
import { type Env, KINDS, type Kind } from './installations.ts'
import { SIZE, type TrialWorld } from './trial-world.ts'
import { wholeState } from './whole-state.ts'

/** A run of a command on an installation of its own. */
export interface Trial {
  env: Env
  /** The command's name, and what follows it. */
  command: [string, ...string[]]
  /** Returns digests of all that it may change. */
  state(): Promise<object>
  /** Takes over what a run has printed. */
  read?(printed: string): void
  /** The command after a killed run, where it differs. */
  next?(): [string, ...string[]]
  /** A refusal of the next run where the killed one had done its work. */
  isDone?: RegExp
  /** True for a state that a running server would finish. */
  isBetween?(found: object, reference: { old: object; done: object }): boolean
  /** Does what a running server would. */
  finish?(): Promise<void>
}

type MakeTrial = (world: TrialWorld) => Promise<Trial>

const withKind = (make: (kind: Kind, world: TrialWorld) => Promise<Trial>) => (kind: Kind) => (world: TrialWorld) =>
  make(kind, world)

const backup = withKind(async (kind, { installations, recipients, decrypter, newFile, since }) => {
  const { env } = await installations.filled(kind, SIZE)
  const file = newFile()
  return {
    env: { ...env, BACKUP_RECIPIENTS: recipients },
    command: ['backup', file],
    state: async () => ({ file: await backupIn(file, decrypter), whole: await wholeState(env, since) }),
    next: () => ['backup', existsSync(file) ? newFile() : file],
  }
})

const restore = (isReplaced: boolean) =>
  withKind(async (kind, { installations, backup, keyFile, recipients, since }) => {
    const env = isReplaced ? (await installations.filled(kind, SIZE)).env : await installations.empty(kind)
    const args = ['--identity', keyFile, ...(isReplaced ? ['--replace'] : [])]
    return {
      env: { ...env, BACKUP_RECIPIENTS: recipients },
      command: ['restore', backup, ...args],
      state: async () => ({ whole: await wholeState(env, since) }),
      isDone: /^Not restored: this installation is not empty; /,
    }
  })

const move: MakeTrial = async ({ installations, since }) => {
  const { env } = await installations.filled('embedded', SIZE)
  const { DATABASE_URL = '' } = await installations.empty('PostgreSQL')
  const SECRET_KEY = readFileSync(join(env.DATA_DIR ?? '', 'secret.key'), 'utf8').trim()
  const to = { ...env, DATABASE_URL, SECRET_KEY, ZOOM_DEMO: 'true' }
  return {
    env: to,
    command: ['move-to-postgres'],
    state: async () => ({ folder: await wholeState(env, since), postgres: await wholeState(to, since) }),
  }
}

const rotate = withKind(async (kind, { installations, since }) => {
  const trial: Trial = {
    env: (await installations.filled(kind, SIZE)).env,
    command: ['rotate-key', '--yes'],
    state: async () => ({ whole: await wholeState(trial.env, since) }),
    read(printed) {
      const [, SECRET_KEY] = /^SECRET_KEY=(.+)$/m.exec(printed) ?? []
      const isFinished = !existsSync(join(trial.env.DATA_DIR ?? '', 'secret.key.new'))
      if (SECRET_KEY !== undefined && isFinished) trial.env = { ...trial.env, SECRET_KEY }
    },
  }
  return trial
})

const HOST = 'H000001'
const USER = 'U000001'

const exportPerson = withKind(async (kind, { installations, newFile, since }) => {
  const { env } = await installations.filled(kind, SIZE)
  const file = newFile()
  return {
    env,
    command: ['person', 'export', HOST, USER, file],
    state: async () => ({ file: personIn(file), whole: await wholeState(env, since) }),
    next: () => ['person', 'export', HOST, USER, existsSync(file) ? newFile() : file],
  }
})

const erasePerson = withKind(async (kind, { installations, since }) => {
  const { env } = await installations.filled(kind, SIZE)
  return {
    env,
    command: ['person', 'erase', HOST, USER, '--yes'],
    state: async () => ({ whole: await wholeState(env, since) }),
    isDone: /^There is no user U000001 of host H000001\.\n$/,
    isBetween: (found, { old, done }) => isErasing(tablesOf(found), tablesOf(old), tablesOf(done)),
    finish: () => finishErasure(env),
  }
})

const makers: Record<string, (kind: Kind) => MakeTrial> = {
  'backup of KIND': backup,
  'restore to an empty KIND': restore(false),
  'restore --replace to KIND': restore(true),
  'rotate-key of KIND': rotate,
  'person export from KIND': exportPerson,
  'person erase from KIND': erasePerson,
}

/** Each command on each database, by a name that can be chosen. */
export const TRIALS: Record<string, MakeTrial> = {
  ...Object.fromEntries(
    Object.entries(makers).flatMap(([name, make]) => KINDS.map((kind) => [name.replace('KIND', kind), make(kind)])),
  ),
  'move-to-postgres': move,
}

/** Returns what a backup holds; null where there is none. Throws for half a file. */
async function backupIn(file: string, decrypter: Decrypter) {
  if (!existsSync(file)) return null
  const { manifest } = await checkBackup(file, decrypter)
  const tables = manifest.tables.filter(({ name }) => name !== 'audit') // a failed run adds a row
  return { files: manifest.files, tables: tables.map(({ name, rows, digest }) => ({ name, rows, digest })) }
}

function personIn(file: string): unknown {
  if (!existsSync(file)) return null
  const { audit, exported_at: _, ...found } = JSON.parse(readFileSync(file, 'utf8'))
  return { ...found, audit: audit.filter(({ action }: { action: string }) => action !== 'person_exported') }
}

const Tables = z.object({ whole: z.object({ tables: z.record(z.string(), z.string()) }) })
const tablesOf = (state: object) => Tables.parse(state).whole.tables

type Digests = Record<string, string>

/** The user is gone, while stays and audit rows may still name it. */
function isErasing(found: Digests, old: Digests, done: Digests): boolean {
  const { erasures: _, stays: __, audit: ___, ...others } = found
  const isEither = Object.entries(others).every(([table, digest]) => digest === old[table] || digest === done[table])
  return isEither && found.room_users === done.room_users && found.erasures !== done.erasures
}

/** Does what the server's job does. */
async function finishErasure(env: Env): Promise<void> {
  await inDatabaseOf(env, async (db) => {
    const erasures = db.selectFrom('erasures').innerJoin('rooms', 'rooms.id', 'room_id')
    const begun = erasures.select(['room_user_id as id', 'room_id', 'host_id']).where('finished_at', 'is', null)
    for (const person of await begun.execute()) await emptyRows({ db, now: Date.now }, person)
  })
}
