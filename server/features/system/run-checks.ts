import { CHECK_NAMES, type CheckName, type SystemCheck } from '../../../shared/system.ts'
import { SingleFlight } from '../../lib/single-flight.ts'
import { checkCertificate, checkNames } from './address-checks.ts'
import { CHECK_MS, type CheckDeps, type Finding, faultFinding, problem, type RunCheck } from './check.ts'
import { checkBackup } from './check-backup.ts'
import { checkMail } from './check-mail.ts'
import { checkDatabase, checkKey, checkMigrations, checkVersion, checkZoomHosts } from './database-checks.ts'
import { checkClock, checkDataDir, checkDisk, checkKeyFile, checkRedis, checkSettings } from './machine-checks.ts'
import { checkSdk, checkWebhook, checkZoomApp } from './zoom-checks.ts'

const CHECKS: Record<CheckName, RunCheck> = {
  settings: checkSettings,
  version: checkVersion,
  database: checkDatabase,
  migrations: checkMigrations,
  redis: checkRedis,
  disk: checkDisk,
  'data-dir': checkDataDir,
  clock: checkClock,
  names: checkNames,
  certificate: checkCertificate,
  'zoom-app': checkZoomApp,
  'zoom-hosts': checkZoomHosts,
  webhook: checkWebhook,
  sdk: checkSdk,
  mail: checkMail,
  backup: checkBackup,
  key: async (deps, signal) =>
    (await checkKeyFile(deps.config.DATA_DIR, deps.config.SECRET_KEY !== undefined)) ?? checkKey(deps, signal),
}

/**
 * Runs all checks side by side. One that hangs is a problem after 5 s, whatever it waits for, and is not begun again before
 * it has ended, since it may keep a thread of the process.
 */
export function runChecks(deps: CheckDeps, begun = new SingleFlight<Finding>()): Promise<SystemCheck[]> {
  return Promise.all(CHECK_NAMES.map(async (name) => ({ name, ...(await runCheck(name, deps, begun)) })))
}

async function runCheck(name: CheckName, deps: CheckDeps, begun: SingleFlight<Finding>): Promise<Finding> {
  const abort = new AbortController()
  const late = Promise.withResolvers<Finding>()
  const timer = setTimeout(() => {
    late.resolve(problem('No answer within 5 s.', 'Check that what it asks runs, and can be reached from here.'))
    abort.abort()
  }, CHECK_MS)
  try {
    return await Promise.race([
      begun.run(name, () => CHECKS[name](deps, abort.signal).catch(faultFinding)),
      late.promise,
    ])
  } finally {
    clearTimeout(timer)
  }
}
