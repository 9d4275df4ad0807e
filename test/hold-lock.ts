import { DataDirInUse, lockDataDir } from '../server/db/data-dir-lock.ts'

/** A process that tries to take a data folder, says how that went, and stays until it is told to end. */
try {
  lockDataDir(process.argv[2] ?? '')
  process.send?.('held')
} catch (error) {
  if (!(error instanceof DataDirInUse)) throw error
  process.send?.(error.message)
}
process.once('disconnect', () => process.exit())
