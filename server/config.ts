import { isUtf8 } from 'node:buffer'
import { closeSync, openSync, readSync } from 'node:fs'
import { relative, resolve, sep } from 'node:path'
import { z } from 'zod'
import { isNameAsPassword } from '../shared/password-rule.ts'
import { isLoopback } from './lib/loopback.ts'
import { parseRedisUrl, REDIS_URL_FORMS } from './redis/redis-url.ts'

/** The message is one line: the setting, its value and the valid values. */
export class BadSetting extends Error {}

const port = z
  .string()
  .regex(/^\d{1,5}$/)
  .transform(Number)
  .pipe(z.number().max(65_535))
const hostname = z.string().regex(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i)
const address = z
  .url({ protocol: /^https?$/ })
  .refine((text) => !/[?#@]/.test(text))
  .transform((text) => text.replace(/\/+$/, ''))
const origin = address.refine((text) => new URL(text).pathname === '/')
const words = z.string().transform((text) =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean),
)
/** The least number of different characters in a key. 32 random hexadecimal digits practically never have fewer. */
const FEWEST_SIGNS = 8
/** Native recipients alone: other tools read those too. */
const RECIPIENT = /^age1[02-9ac-hj-np-z]{58}$/
const recipients = words.refine((all) => all.every((word) => RECIPIENT.test(word)))
const kept = z
  .string()
  .regex(/^\d{1,3}(, *\d{1,3}){2}$/)
  .transform((text) => {
    const [days = 0, weeks = 0, months = 0] = text.split(',').map(Number)
    return { days, weeks, months }
  })
const days = (least: number) => z.coerce.number().int().min(least).max(3_650)
/** A user and a password come with each other. Signs in them that mean something in an address are written as %40. */
function isSmtpUrl(text: string): boolean {
  try {
    const { hostname, username, password, pathname, search, hash } = new URL(text)
    decodeURIComponent(username + password)
    return hostname !== '' && (username === '') === (password === '') && `${pathname}${search}${hash}`.length < 2
  } catch {
    return false
  }
}
const SECRET_FILE_BYTES = 64 * 1024
const KNOWN_FEATURES = ['logo-upload', 'downloads']
const features = words.refine((all) => all.every((word) => KNOWN_FEATURES.includes(word)))

/** The descriptions state the valid values, for error messages. */
const Settings = z.object({
  PORT: port.default(3000).describe('a port from 0 to 65535'),
  BIND: z.string().min(1).default('127.0.0.1').describe('an address of this machine, such as 127.0.0.1'),
  DATA_DIR: z.string().min(1).default('data').describe('a folder'),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/ })
    .optional()
    .meta({ description: 'an address like postgresql://user:password@host:5432/name', secret: true }),
  REDIS_URL: z
    .string()
    .refine((text) => parseRedisUrl(text) !== null)
    .optional()
    .meta({ description: REDIS_URL_FORMS, secret: true }),
  SECRET_KEY: z
    .string()
    .min(32)
    .refine((text) => new Set(text).size >= FEWEST_SIGNS)
    .optional()
    .meta({ description: 'at least 32 random bytes', secret: true }),
  PUBLIC_URL: origin.optional().describe('an origin like https://parley.example'),
  MASTER_HOSTNAME: hostname.default('master.localhost').describe('a host name'),
  HOST_HOSTNAME: hostname.default('host.localhost').describe('a host name'),
  PHONE_HOSTNAME: hostname
    .refine((name) => !/(^|\.)\d+$/.test(name)) // an IP address has no subdomains
    .default('phone.localhost')
    .describe('a host name'),
  MASTER_EMAIL: z.email().optional().describe('an email address'),
  MASTER_PASSWORD: z.string().min(8).optional().meta({ description: 'at least 8 characters', secret: true }),
  ZOOM_CLIENT_ID: z.string().min(1).optional().describe('the client id of a Zoom app'),
  ZOOM_CLIENT_SECRET: z
    .string()
    .min(1)
    .optional()
    .meta({ description: 'the client secret of a Zoom app', secret: true }),
  ZOOM_WEBHOOK_SECRET: z
    .string()
    .min(1)
    .optional()
    .meta({ description: "the secret token of Zoom's webhooks", secret: true }),
  ZOOM_SDK_KEY: z.string().min(1).optional().describe('the key of a Meeting SDK app'),
  ZOOM_SDK_SECRET: z.string().min(1).optional().meta({ description: 'the secret of a Meeting SDK app', secret: true }),
  ZOOM_APP_ACCOUNT_ID: z.string().min(1).optional().describe('a Zoom account id'),
  ZOOM_OAUTH_URL: origin.default('https://zoom.us').describe('an origin like https://zoom.us'),
  ZOOM_API_URL: address
    .refine((text) => text.endsWith('/v2'))
    .default('https://api.zoom.us/v2')
    .describe('an address that ends in /v2, like https://api.zoom.us/v2'),
  ZOOM_SDK_URL: address.optional().describe('an address like https://source.zoom.us'),
  ZOOM_SDK_VERSION: z
    .string()
    .regex(/^\d+\.\d+\.\d+$/)
    .default('6.2.0')
    .describe('a version like 6.2.0'),
  ZOOM_CONNECT_SECONDS: z.coerce
    .number()
    .int()
    .min(1)
    .max(600)
    .optional()
    .describe('a number of seconds from 1 to 600'),
  ZOOM_DEMO: z.stringbool().default(false).describe('true or false'),
  ZOOM_EMULATOR_PORT: port.optional().describe('a port from 0 to 65535'),
  PLAY_STORE_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('an address'),
  SUPPORT_EMAIL: z.email().default('support@parley.example').describe('an email address'),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/ })
    .refine(isSmtpUrl)
    .optional()
    .meta({ description: 'an address like smtp://user:password@host:587', secret: true }),
  MAIL_FROM: z.email().optional().describe('an email address'),
  SUPPORT_PHONE: z.string().min(3).max(40).optional().describe('a telephone number'),
  SOURCE_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('an address'),
  HOST_SEAT: z
    .enum(['on', 'off'])
    .default('on')
    .transform((text) => text === 'on')
    .describe('on or off'),
  HOST_SEAT_SOUND: z.stringbool().default(false).describe('true or false'),
  BACKUP_RECIPIENTS: recipients.default([]).describe('a comma-separated list of public keys of age, such as age1…'),
  BACKUP_TO: z.string().min(1).optional().describe('a folder'),
  BACKUP_HOURS: z.coerce.number().int().min(1).max(720).default(24).describe('a number of hours from 1 to 720'),
  BACKUP_KEEP: kept.default({ days: 7, weeks: 4, months: 12 }).describe('three numbers up to 999, such as 7,4,12'),
  BACKUP_PASSPHRASE: z.string().min(12).optional().meta({ description: 'at least 12 characters', secret: true }),
  RETENTION_AUDIT_DAYS: days(30).default(731).describe('a number of days from 30 to 3650'),
  RETENTION_ATTENDANCE_DAYS: days(1).default(396).describe('a number of days from 1 to 3650'),
  RETENTION_RECORDINGS_DAYS: days(1).optional().describe('a number of days from 1 to 3650'),
  FEATURES: features.default([]).describe(`a comma-separated list of ${KNOWN_FEATURES.join(', ')}`),
  TRUST_PROXY: z.stringbool().default(false).describe('true or false'),
  METRICS_TOKEN: z.string().min(16).optional().meta({ description: 'at least 16 characters', secret: true }),
  CONFIRM_MINUTES: z.coerce.number().int().min(1).max(720).default(15).describe('a number of minutes from 1 to 720'),
  STOP_SECONDS: z.coerce.number().int().min(1).max(600).default(9).describe('a number of seconds from 1 to 600'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('fatal, error, warn, info, debug, trace or silent'),
})

/** The client id of the Zoom emulator, embedded or separate. */
export const DEMO_CLIENT_ID = 'parley-demo'
const ZOOMS_SDK_URL = 'https://source.zoom.us'

type Settings = z.output<typeof Settings>
export type Config = Settings & {
  PUBLIC_URL: string
  ZOOM_SDK_URL: string
  MAIL_FROM: string
  hasOwnSdkUrl: boolean // set explicitly: the embedded emulator does not replace it
  isDemoZoom: boolean // the embedded emulator replaces Zoom
}

/** Explains a failed `listen`; null if the error has another cause. */
export function listenFault(name: 'PORT' | 'ZOOM_EMULATOR_PORT', port: number, bind: string, error: string) {
  const [code = ''] = error.match(/E[A-Z]{4,}/) ?? []
  if (['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL'].includes(code))
    return new BadSetting(`BIND is ${JSON.stringify(bind)}; it must be ${Settings.shape.BIND.description}.`)
  if (code !== 'EADDRINUSE' && code !== 'EACCES') return null
  const reason = code === 'EADDRINUSE' ? `is already in use on ${bind}` : `on ${bind} is not open to this user`
  return new BadSetting(`${name}=${port} ${reason}. Choose a free port.`)
}

/** Reads every setting once, secrets also from files. Treats an empty variable as unset. Throws BadSetting. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(
    Object.entries(Settings.shape).map(([name, setting]) => {
      const path = setting.meta()?.secret ? env[`${name}_FILE`] : undefined
      return [name, path ? readSecretFile(name, path, env[name]) : env[name] || undefined]
    }),
  )
  const read = Settings.safeParse(given)
  if (!read.success) throw new BadSetting(describeFault(String(read.error.issues[0]?.path[0]), given))

  const config = read.data
  const conflict = findConflict(config)
  if (conflict) throw new BadSetting(conflict)
  return {
    ...config,
    PUBLIC_URL: publicUrl(config),
    ZOOM_SDK_URL: config.ZOOM_SDK_URL ?? ZOOMS_SDK_URL,
    MAIL_FROM: config.MAIL_FROM ?? config.SUPPORT_EMAIL,
    hasOwnSdkUrl: config.ZOOM_SDK_URL !== undefined,
    isDemoZoom: config.ZOOM_CLIENT_ID === undefined,
  }
}

/** Returns the content without its last line break, as secrets that containers mount as files have one or none. */
function readSecretFile(name: string, path: string, value: string | undefined): string {
  if (value) throw new BadSetting(`${name} and ${name}_FILE are both set; set one.`)
  const refusal = (reason: string) => new BadSetting(`${name}_FILE is ${JSON.stringify(path)}, which ${reason}.`)
  let bytes: Buffer
  try {
    bytes = readStart(path)
  } catch (error) {
    throw refusal(`cannot be read${error instanceof Error && 'code' in error ? ` (${error.code})` : ''}`)
  }
  // Other bytes than those of text would all become one character, and the secret a weak one.
  if (bytes.length === SECRET_FILE_BYTES || !isUtf8(bytes)) throw refusal('is not a text of less than 64 KB')
  const secret = new TextDecoder().decode(bytes).replace(/\r?\n$/, '')
  if (secret === '') throw refusal('is empty')
  return secret
}

/** Reads no more than a secret may have, since a device file has no end. */
function readStart(path: string): Buffer {
  const bytes = Buffer.alloc(SECRET_FILE_BYTES)
  const file = openSync(path, 'r')
  try {
    let length = 0
    for (let read = -1; read !== 0; length += read) read = readSync(file, bytes, length, bytes.length - length, null)
    return bytes.subarray(0, length)
  } finally {
    closeSync(file)
  }
}

const publicUrl = ({ PUBLIC_URL, PORT }: Settings) => PUBLIC_URL ?? `http://localhost:${PORT}`

/** Gives the frame with Zoom's own code an origin of its own, so that it cannot read the phone app's storage. */
export const meetingHostname = ({ PHONE_HOSTNAME }: Pick<Settings, 'PHONE_HOSTNAME'>) => `meeting.${PHONE_HOSTNAME}`

/** Never prints a secret. */
function describeFault(name: string, given: Record<string, string | undefined>): string {
  const setting = Object.entries(Settings.shape)
    .find(([key]) => key === name)?.[1]
    .meta()
  const value = given[name] ?? ''
  const shown = setting?.secret ? `set to ${value.length} characters that are not valid` : JSON.stringify(value)
  return `${name} is ${shown}; it must be ${setting?.description}.`
}

function findConflict(config: Settings): string | null {
  if (config.DATABASE_URL && !config.SECRET_KEY)
    return 'SECRET_KEY is not set. With DATABASE_URL, set it to at least 32 random bytes, the same on every node.'
  if (config.REDIS_URL && !config.DATABASE_URL)
    return 'DATABASE_URL is not set. With REDIS_URL, set it to the address of the PostgreSQL that all servers use.'
  if (config.MASTER_HOSTNAME.toLowerCase() === config.HOST_HOSTNAME.toLowerCase())
    return `HOST_HOSTNAME is "${config.HOST_HOSTNAME}", the same as MASTER_HOSTNAME. Choose a different name.`
  const namesake = findNamesake(config)
  if (namesake) return `PHONE_HOSTNAME is "${config.PHONE_HOSTNAME}", ${namesake}. Choose a different name.`
  if (config.ZOOM_CLIENT_SECRET && !config.ZOOM_CLIENT_ID)
    return 'ZOOM_CLIENT_ID is not set. With ZOOM_CLIENT_SECRET, set it to the client id of the same Zoom app.'
  if (config.ZOOM_CLIENT_ID && !config.ZOOM_CLIENT_SECRET)
    return 'ZOOM_CLIENT_SECRET is not set. With ZOOM_CLIENT_ID, set it to the client secret of the same Zoom app.'
  if (Boolean(config.ZOOM_SDK_KEY) !== Boolean(config.ZOOM_SDK_SECRET))
    return 'ZOOM_SDK_KEY and ZOOM_SDK_SECRET belong together. Set both, or neither to use the Zoom app itself.'
  if (isNameAsPassword(config.MASTER_EMAIL, config.MASTER_PASSWORD))
    return 'MASTER_PASSWORD is the same as MASTER_EMAIL. Choose another password of at least 8 characters.'
  if (config.MASTER_EMAIL && !config.MASTER_PASSWORD)
    return 'MASTER_PASSWORD is not set. With MASTER_EMAIL, set it to at least 8 characters.'
  if (config.BACKUP_RECIPIENTS.length > 0 && config.BACKUP_PASSPHRASE)
    return 'BACKUP_RECIPIENTS and BACKUP_PASSPHRASE are both set; set one.'
  if (config.BACKUP_TO && config.BACKUP_RECIPIENTS.length === 0 && !config.BACKUP_PASSPHRASE)
    return 'BACKUP_TO needs BACKUP_RECIPIENTS or BACKUP_PASSPHRASE, since no backup is written without encryption.'
  if (config.BACKUP_TO && isInside(config.DATA_DIR, config.BACKUP_TO))
    return `BACKUP_TO is ${JSON.stringify(config.BACKUP_TO)}, a folder in DATA_DIR. Choose one elsewhere, on another disk.`
  return findNeedOfZoom(config)
}

function isInside(folder: string, path: string): boolean {
  const way = relative(resolve(folder), resolve(path))
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`))
}

/** Refuses the emulator on a real site: it gives accounts to anybody, so it must not serve real people unnoticed. */
function findNeedOfZoom(config: Settings): string | null {
  if (config.ZOOM_CLIENT_ID) return null
  if (config.ZOOM_DEMO && config.REDIS_URL)
    return 'ZOOM_CLIENT_ID is not set. It is required with REDIS_URL, because ZOOM_DEMO gives each server a stand-in of its own.'
  const sign = config.ZOOM_DEMO ? null : signOfProduction(config)
  return (
    sign &&
    `ZOOM_CLIENT_ID is not set. It is required with ${sign}. For a stand-in instead of Zoom, set ZOOM_DEMO=true.`
  )
}

function signOfProduction({ DATABASE_URL, PUBLIC_URL, BIND }: Settings): string | null {
  if (DATABASE_URL) return 'DATABASE_URL'
  if (PUBLIC_URL?.startsWith('https:')) return 'an https PUBLIC_URL'
  return isLoopback(BIND) ? null : `BIND=${BIND}, which other machines can reach`
}

/** Finds a setting that already uses the name of the phone site or of its meeting frame. */
function findNamesake(config: Settings): string | null {
  const { MASTER_HOSTNAME, HOST_HOSTNAME } = config
  const others = { MASTER_HOSTNAME, HOST_HOSTNAME, 'the name in PUBLIC_URL': new URL(publicUrl(config)).hostname }
  const holderOf = (name: string) =>
    Object.entries(others).find(([, other]) => other.toLowerCase() === name.toLowerCase())?.[0]

  const holder = holderOf(config.PHONE_HOSTNAME)
  if (holder) return `the same as ${holder}`
  const meeting = meetingHostname(config)
  const holderOfMeeting = holderOf(meeting)
  return holderOfMeeting ? `and ${meeting} is already ${holderOfMeeting}` : null
}
