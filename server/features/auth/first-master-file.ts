import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../config.ts'

const FILE = 'first-master'

/** Writes the first master's sign-in to a file that only its owner can read, and to no log. Returns the path. */
export async function writeFirstMaster(
  { DATA_DIR }: Pick<Config, 'DATA_DIR'>,
  { email, password }: { email: string; password: string },
): Promise<string> {
  const path = join(DATA_DIR, FILE)
  await rm(path, { force: true })
  await writeFile(path, `${email}\n${password}\n`, { mode: 0o600, flag: 'wx' })
  return path
}

/** Call when a master has signed in, who needs the file no longer. */
export async function removeFirstMaster({ DATA_DIR }: Pick<Config, 'DATA_DIR'>): Promise<void> {
  await rm(join(DATA_DIR, FILE), { force: true })
}
