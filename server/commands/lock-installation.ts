import type { Config } from '../config.ts'
import { DatabaseInUse, lockDatabase } from '../db/advisory-lock.ts'
import { DataDirInUse, lockDataDir, makeDataDir } from '../db/data-dir-lock.ts'
import { printLine } from './run-command.ts'

/** A server, or another command, has the installation. */
export class InstallationInUse extends Error {
  constructor() {
    super('a server uses this installation; stop it first')
  }
}

/**
 * Keeps servers, and other commands, from an installation. Returns the function that lets them start again. `refusal` begins
 * the last line of a process that has lost its database, and so ends. Throws InstallationInUse.
 */
export async function lockInstallation(
  { DATA_DIR, DATABASE_URL }: Pick<Config, 'DATA_DIR' | 'DATABASE_URL'>,
  refusal: string,
): Promise<() => Promise<void>> {
  makeDataDir(DATA_DIR)
  try {
    if (!DATABASE_URL) {
      const unlock = lockDataDir(DATA_DIR)
      return async () => unlock()
    }
    return await lockDatabase(DATABASE_URL, 'alone', () => {
      printLine(`${refusal}: the connection to the database was lost.`)
      process.exit(1)
    })
  } catch (error) {
    if (error instanceof DataDirInUse || error instanceof DatabaseInUse) throw new InstallationInUse()
    throw error
  }
}
