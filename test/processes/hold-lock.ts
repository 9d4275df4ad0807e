import { lockDataDir } from '../../server/db/data-dir-lock.ts'

/** Tries to lock a data folder, reports the outcome, and stays until its parent disconnects. */
try {
  lockDataDir(process.argv[2] ?? '')
  process.send?.('held')
} catch (error) {
  process.send?.(error instanceof Error ? error.message : String(error))
}
process.once('disconnect', () => process.exit())
