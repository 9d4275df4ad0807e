import type { ZoomWarning } from '../../../shared/hosts.ts'
import { ZOOM_SCOPES } from '../../../shared/zoom-scopes.ts'
import type { ZoomUser, ZoomUserSettings } from '../../zoom/schemas.ts'

/** `settings` is null if Zoom did not return them. */
export function accountWarnings(user: Pick<ZoomUser, 'type'>, settings: ZoomUserSettings | null): ZoomWarning[] {
  const warnings: ZoomWarning[] = []
  const warn = (code: string, message: string) => warnings.push({ code, message })
  const isBasic = user.type !== 2
  if (isBasic)
    warn(
      'basic_plan',
      'This is a free (Basic) Zoom account: meetings end after 40 minutes and cannot be recorded to the cloud. Give the host a licence at Zoom, under Admin > User Management > Users.',
    )
  if (!isBasic && settings?.recording.cloud_recording === false)
    warn(
      'cloud_recording_off',
      'Cloud recording is off, so the room is not recorded. Turn it on at zoom.us, under Settings > Recording > Cloud recording.',
    )
  if (!isBasic && settings?.recording.record_audio_file === false)
    warn(
      'no_audio_files',
      'Zoom makes no audio files of this account’s recordings, so none appear here. At zoom.us, under Settings > Recording > Cloud recording, tick "Record an audio only file".',
    )
  return warnings
}

/** Compares with the scopes that are needed now, which an update may change. */
export function scopeWarnings(granted: string | null): ZoomWarning[] {
  const missing = missingScopes(granted ?? '')
  if (missing.length === 0) return []
  const message = `Zoom did not grant all that Parley needs. Add these scopes to the app at marketplace.zoom.us, then connect this host again: ${missing.join(', ')}.`
  return [{ code: 'scopes_missing', message }]
}

/** Account-level apps have the same scopes with the suffix `:admin`. An empty list means unknown. */
function missingScopes(scopes: string): string[] {
  const granted = new Set(scopes.split(/[\s,]+/).filter(Boolean))
  if (granted.size === 0) return []
  const has = (scope: string) => granted.has(scope) || granted.has(`${scope}:admin`) || granted.has(`${scope}:master`)
  return ZOOM_SCOPES.filter(({ scope, classic }) => !has(scope) && !has(classic)).map(({ scope }) => scope)
}
