import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../config.ts'

const FILE = 'first-master'

/** Keeps the first master's sign-in where its owner alone can read it, and no log has it. Returns the file's path. */
export async function writeFirstMaster(
  { DATA_DIR }: Pick<Config, 'DATA_DIR'>,
  { email, password }: { email: string; password: string },
): Promise<string> {
  const path = join(DATA_DIR, FILE)
  await rm(path, { force: true })
  await writeFile(path, `${email}\n${password}\n`, { mode: 0o600, flag: 'wx' })
  return path
}

/** Called when a master has signed in, who needs it no longer. */
export async function removeFirstMaster({ DATA_DIR }: Pick<Config, 'DATA_DIR'>): Promise<void> {
  await rm(join(DATA_DIR, FILE), { force: true })
}
