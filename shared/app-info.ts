import { z } from 'zod'
import { Done } from './envelope.ts'
import { HOST_PASSWORD_MIN } from './hosts.ts'
import { tooLongMessage } from './too-long-message.ts'
import { visible, visibleLines } from './visible.ts'

/** The room's information that the phone app shows. `password` is never returned: always null, even when one is set. */
export const AppInfo = z.object({
  user_id: z.string(), // the host's own ID, used to sign in on the host's phone
  password: z.string().nullable(),
  has_password: z.boolean(),
  user_title: z.string().nullable(),
  helpline: z.string().nullable(),
  message: z.string().nullable(),
  allow_recording: z.boolean(),
  has_public_card: z.boolean(), // strangers who know the Host ID see name, title and logo
  logo_url: z.string().nullable(),
})
export type AppInfo = z.infer<typeof AppInfo>

export const APP_INFO_LIMITS = { user_title: 60, helpline: 40, message: 500, logo_url: 500, password: 256 } as const

/** Limits of an uploaded logo: the file's bytes, and the pixels of a side. */
export const LOGO_MAX_BYTES = 1_000_000
export const LOGO_MAX_SIDE = 2048

const text = (most: number) => z.string().trim().max(most, tooLongMessage(most))

const SeenAppInfo = AppInfo.omit({ user_id: true, password: true, has_password: true }).partial()

export const EditAppInfo = z.object({
  expect: SeenAppInfo.optional(), // the fields as the caller saw them; else 409 state_changed
  user_id: z.string().max(32).nullish(), // shown in the form, but never changed by it
  password: z
    .union([
      z.literal(''), // blank keeps the current one
      z
        .string()
        .min(HOST_PASSWORD_MIN, 'Password must be at least 6 characters')
        .max(APP_INFO_LIMITS.password, tooLongMessage(APP_INFO_LIMITS.password)),
    ])
    .nullish(),
  user_title: text(APP_INFO_LIMITS.user_title).superRefine(visible).nullish(),
  helpline: text(APP_INFO_LIMITS.helpline).superRefine(visible).nullish(),
  message: text(APP_INFO_LIMITS.message).superRefine(visibleLines).nullish(),
  allow_recording: z.boolean().optional(),
  has_public_card: z.boolean().optional(),
  logo_url: text(APP_INFO_LIMITS.logo_url)
    .refine(isLogoAddress, 'The logo must be at a public https address or one of this site')
    .nullish(),
})
export type EditAppInfo = z.input<typeof EditAppInfo>

export const AppInfoAnswer = Done.extend({ appInfo: AppInfo })

/** Top-level domains for internal networks: RFC 6761, RFC 6762, RFC 8375, ICANN's `internal`, and common habits. */
const INTERNAL =
  /\.(localhost|local|internal|intranet|private|corp|home|lan|localdomain|test|invalid|svc|onion|home\.arpa)$/i

/** Phones load this address, so it must be a public web server or our own, never an address inside a network. */
function isLogoAddress(address: string): boolean {
  if (!address) return true
  if (/^\/logos\/[\w.-]+$/.test(address)) return true
  if (!URL.canParse(address)) return false
  const { protocol, hostname, username, port } = new URL(address)
  const isName = /^[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z]{2,}$/i.test(hostname) && !INTERNAL.test(hostname)
  return protocol === 'https:' && isName && username === '' && port === ''
}
