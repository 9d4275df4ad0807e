import type { AppVersions } from '../../../shared/dashboard.ts'

/** 2.10 is newer than 2.9.3, and so are its parts: numbers by value, what else an app writes by its letters. */
const { compare: byVersion } = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** The newest version of the app on any phone of the room, and how many phones have an older one. */
export function appVersions(versions: readonly (string | null)[]): AppVersions {
  const known = versions.filter((version) => version !== null)
  const newest = known.toSorted(byVersion).at(-1) ?? null
  return { newest, older: known.filter((version) => newest !== null && byVersion(version, newest) < 0).length }
}
