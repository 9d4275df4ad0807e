import { CHECK_NAMES, type CheckName, type SystemCheck } from '../../../shared/system.ts'
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

/** Runs all checks side by side. One that hangs is a problem after 5 s, whatever it waits for. */
export function runChecks(deps: CheckDeps): Promise<SystemCheck[]> {
  return Promise.all(CHECK_NAMES.map(async (name) => ({ name, ...(await runCheck(CHECKS[name], deps)) })))
}

async function runCheck(check: RunCheck, deps: CheckDeps): Promise<Finding> {
  const abort = new AbortController()
  const late = Promise.withResolvers<Finding>()
  const timer = setTimeout(() => {
    late.resolve(problem('No answer within 5 s.', 'Check that what it asks runs, and can be reached from here.'))
    abort.abort()
  }, CHECK_MS)
  try {
    return await Promise.race([check(deps, abort.signal).catch(faultFinding), late.promise])
  } finally {
    clearTimeout(timer)
  }
}
