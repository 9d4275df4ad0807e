import { compareVersions, newestVersion } from '../../../shared/app-version.ts'
import type { AppVersions } from '../../../shared/dashboard.ts'

/** Returns the newest app version of the room's phones, and the number of phones with an older one. */
export function appVersions(versions: readonly (string | null)[]): AppVersions {
  const known = versions.filter((version) => version !== null)
  const newest = newestVersion(known)
  return { newest, older: known.filter((version) => newest !== null && compareVersions(version, newest) < 0).length }
}
