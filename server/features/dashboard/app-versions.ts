import { compareVersions, newestVersion } from '../../../shared/app-version.ts'
import type { AppVersions } from '../../../shared/dashboard.ts'

/** The newest version of the app on any phone of the room, and how many phones have an older one. */
export function appVersions(versions: readonly (string | null)[]): AppVersions {
  const known = versions.filter((version) => version !== null)
  const newest = newestVersion(known)
  return { newest, older: known.filter((version) => newest !== null && compareVersions(version, newest) < 0).length }
}
