import { z } from 'zod'
import type { AppInfo, EditAppInfo } from '../../../shared/app-info.ts'
import { changedFields } from '../../lib/changed-fields.ts'

/** The fields as form inputs hold them. */
export type AppInfoValues = ReturnType<typeof appInfoValues>

export const appInfoValues = ({
  user_title,
  helpline,
  message,
  allow_recording,
  has_public_card,
  logo_url,
}: AppInfo) => ({
  password: '', // blank keeps the current one
  user_title: user_title ?? '',
  helpline: helpline ?? '',
  message: message ?? '',
  allow_recording,
  has_public_card,
  logo_url: logo_url ?? '',
})

/** Converts the form's initial values to those of the server. */
export function expectedValues({ password: _password, ...values }: AppInfoValues): EditAppInfo['expect'] {
  const { user_title, helpline, message, logo_url } = values
  return {
    ...values,
    user_title: user_title || null,
    helpline: helpline || null,
    message: message || null,
    logo_url: logo_url || null,
  }
}

const DraftValues = z.object({
  user_title: z.string(),
  helpline: z.string(),
  message: z.string(),
  allow_recording: z.boolean(),
  has_public_card: z.boolean(),
  logo_url: z.string(),
})

/** Holds what is typed, and the values on which it was based, but never a password. */
export const Draft = z.object({ before: DraftValues, typed: DraftValues.partial() })
export type Draft = z.infer<typeof Draft>

/** Returns null if nothing but the password was changed. */
export function draftOf(values: AppInfoValues, initial: AppInfoValues): Draft | null {
  const draft = Draft.parse({ before: initial, typed: changedFields(values, initial) })
  return Object.keys(draft.typed).length > 0 ? draft : null
}

const LABELS = {
  user_title: 'User title',
  helpline: 'Helpline',
  message: 'Message',
  logo_url: 'Logo address',
  has_public_card: 'Show the room before sign-in',
  allow_recording: 'Allow recording',
} as const

const COMPARED = ['user_title', 'helpline', 'message', 'logo_url', 'has_public_card', 'allow_recording'] as const

export type RemoteChange = { label: string; value: string }

/** Lists the fields that another console has changed, in the order of the form. */
export function remoteChangesOf(before: Draft['before'], present: AppInfoValues): RemoteChange[] {
  return COMPARED.filter((field) => before[field] !== present[field]).map((field) => ({
    label: LABELS[field],
    value: formatValue(present[field]),
  }))
}

function formatValue(value: string | boolean): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  return value || 'empty'
}
