import type { AppInfo, EditAppInfo } from '../../../shared/app-info.ts'

/** The fields as form inputs hold them. */
export type AppInfoValues = ReturnType<typeof valuesOf>

export const valuesOf = ({ user_title, helpline, message, allow_recording, has_public_card, logo_url }: AppInfo) => ({
  password: '', // blank keeps the current one
  user_title: user_title ?? '',
  helpline: helpline ?? '',
  message: message ?? '',
  allow_recording,
  has_public_card,
  logo_url: logo_url ?? '',
})

/** Converts the form's initial values to those of the server. */
export function seenOf({ password: _password, ...values }: AppInfoValues): EditAppInfo['expect'] {
  const { user_title, helpline, message, logo_url } = values
  return {
    ...values,
    user_title: user_title || null,
    helpline: helpline || null,
    message: message || null,
    logo_url: logo_url || null,
  }
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

export type News = { label: string; value: string }

/** Lists the fields that another console has changed, in the order of the form. */
export function newsOf(before: AppInfoValues, present: AppInfoValues): News[] {
  return COMPARED.filter((field) => before[field] !== present[field]).map((field) => ({
    label: LABELS[field],
    value: said(present[field]),
  }))
}

function said(value: string | boolean): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  return value || 'empty'
}
