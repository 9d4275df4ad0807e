import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Decrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'
import { expect } from 'vitest'
import { startPostgres } from '../servers/postgres.ts'
import { emptyDataFolder } from '../servers/server-process.ts'
import { Installations, KINDS } from './installations.ts'
import { run } from './run.ts'

/** The runs of commands share it. */
export interface TrialWorld {
  installations: Installations
  /** A backup of an installation that has other rows and files, and the key for it. */
  backup: string
  keyFile: string
  recipients: string
  decrypter: Decrypter
  /** Returns a new path for a file that a command writes. */
  newFile(): string
  /** When all installations were filled. */
  since: number
  close(): Promise<void>
}

export const SIZE = { rows: 200, users: 20 }

/** `postgresEnv` is for its server. */
export async function makeTrialWorld({ hasBackup = true, postgresEnv = {} }): Promise<TrialWorld> {
  const [out, postgres] = await Promise.all([emptyDataFolder(), startPostgres(postgresEnv)])
  const installations = new Installations(out.path, postgres)
  const identity = await generateX25519Identity()
  const decrypter = new Decrypter()
  decrypter.addIdentity(identity)
  const keyFile = join(out.path, 'key.txt')
  await writeFile(keyFile, identity)
  await mkdir(join(out.path, 'files'))
  let files = 0
  const newFile = () => join(out.path, 'files', `${++files}`)
  const recipients = await identityToRecipient(identity)
  const backup = newFile()
  if (hasBackup) {
    const { env } = await installations.filled('embedded', { rows: 60, users: 5 })
    expect(await run(['backup', backup], { ...env, BACKUP_RECIPIENTS: recipients })).toMatchObject({ code: 0 })
  }
  for (const kind of KINDS) await installations.filled(kind, SIZE)
  const close = async () => void (await Promise.all([out.remove(), postgres.stop()]))
  return { installations, backup, keyFile, recipients, decrypter, newFile, since: Date.now(), close }
}
