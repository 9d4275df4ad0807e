import { z } from 'zod'
import { isNameAsPassword } from '../shared/password-rule.ts'

/** A setting that cannot be used: one line that names it, what it held and what it may hold. */
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
const KNOWN_FEATURES = ['logo-upload', 'downloads']
const features = z
  .string()
  .transform((text) =>
    text
      .split(',')
      .map((word) => word.trim())
      .filter(Boolean),
  )
  .refine((words) => words.every((word) => KNOWN_FEATURES.includes(word)))

/** Each setting: how it is read, and in words what it may hold. Secrets are never shown back. */
const settings = {
  PORT: { schema: port.default(3000), may: 'a port from 0 to 65535' },
  BIND: { schema: z.string().min(1).default('127.0.0.1'), may: 'an address of this machine, such as 127.0.0.1' },
  DATA_DIR: { schema: z.string().min(1).default('data'), may: 'a folder' },
  DATABASE_URL: {
    schema: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
    may: 'an address like postgresql://user:password@host:5432/name',
    secret: true,
  },
  REDIS_URL: {
    schema: z.url({ protocol: /^rediss?$/ }).optional(),
    may: 'an address like redis://host:6379',
    secret: true,
  },
  SECRET_KEY: { schema: z.string().min(32).optional(), may: 'at least 32 bytes', secret: true },
  PUBLIC_URL: { schema: origin.optional(), may: 'an origin like https://parley.example' },
  MASTER_HOSTNAME: { schema: hostname.default('master.localhost'), may: 'a host name' },
  HOST_HOSTNAME: { schema: hostname.default('host.localhost'), may: 'a host name' },
  MASTER_EMAIL: { schema: z.email().optional(), may: 'an e-mail address' },
  MASTER_PASSWORD: { schema: z.string().min(8).optional(), may: 'at least 8 characters', secret: true },
  ZOOM_CLIENT_ID: { schema: z.string().min(1).optional(), may: 'the client id of a Zoom app' },
  ZOOM_CLIENT_SECRET: { schema: z.string().min(1).optional(), may: 'the client secret of a Zoom app', secret: true },
  ZOOM_WEBHOOK_SECRET: {
    schema: z.string().min(1).optional(),
    may: "the secret token of Zoom's webhooks",
    secret: true,
  },
  ZOOM_SDK_KEY: { schema: z.string().min(1).optional(), may: 'the key of a Meeting SDK app' },
  ZOOM_SDK_SECRET: { schema: z.string().min(1).optional(), may: 'the secret of a Meeting SDK app', secret: true },
  ZOOM_APP_ACCOUNT_ID: { schema: z.string().min(1).optional(), may: 'a Zoom account id' },
  ZOOM_OAUTH_URL: { schema: origin.default('https://zoom.us'), may: 'an origin like https://zoom.us' },
  ZOOM_API_URL: {
    schema: address.refine((text) => text.endsWith('/v2')).default('https://api.zoom.us/v2'),
    may: 'an address that ends in /v2, like https://api.zoom.us/v2',
  },
  ZOOM_CONNECT_SECONDS: {
    schema: z.coerce.number().int().min(1).max(600).optional(),
    may: 'a number of seconds from 1 to 600',
  },
  ZOOM_EMULATOR_PORT: { schema: port.optional(), may: 'a port from 0 to 65535' },
  PLAY_STORE_URL: { schema: z.url({ protocol: /^https?$/ }).optional(), may: 'an address' },
  SUPPORT_EMAIL: { schema: z.email().default('support@parley.example'), may: 'an e-mail address' },
  SUPPORT_PHONE: { schema: z.string().min(3).max(40).default('+91 00000 00000'), may: 'a telephone number' },
  FEATURES: { schema: features.default([]), may: `a comma list of ${KNOWN_FEATURES.join(', ')}` },
  TRUST_PROXY: { schema: z.stringbool().default(false), may: 'true or false' },
  METRICS_TOKEN: { schema: z.string().min(8).optional(), may: 'at least 8 characters', secret: true },
  LOG_LEVEL: {
    schema: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
    may: 'fatal, error, warn, info, debug, trace or silent',
  },
} satisfies Record<string, { schema: z.ZodType; may: string; secret?: boolean }>

type Settings = { [K in keyof typeof settings]: z.output<(typeof settings)[K]['schema']> }
export type Config = Settings & {
  PUBLIC_URL: string
  isDemoZoom: boolean // the embedded emulator stands in for Zoom
}

/** What a failed start says of the address that could not be listened at; null where that is not why. */
export function cannotListen(name: 'PORT' | 'ZOOM_EMULATOR_PORT', port: number, bind: string, said: string) {
  const [code = ''] = said.match(/E[A-Z]{4,}/) ?? []
  if (['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL'].includes(code))
    return new BadSetting(`BIND holds ${JSON.stringify(bind)}; it may hold ${settings.BIND.may}.`)
  if (code !== 'EADDRINUSE' && code !== 'EACCES') return null
  const why = code === 'EADDRINUSE' ? 'is in use' : 'is not open to this user'
  return new BadSetting(`${name} holds ${port}; it may hold a port that is free, and ${bind}:${port} ${why}.`)
}

/** Reads every setting once. An empty variable counts as unset. Throws BadSetting. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const shape = Object.fromEntries(Object.entries(settings).map(([name, { schema }]) => [name, schema]))
  const given = Object.fromEntries(
    Object.keys(settings).map((name) => [name, env[name] === '' ? undefined : env[name]]),
  )
  const read = z.object(shape).safeParse(given)
  if (!read.success) throw new BadSetting(complaint(String(read.error.issues[0]?.path[0]), given))

  const config = read.data as Settings
  const together = conflict(config)
  if (together) throw new BadSetting(together)
  return {
    ...config,
    PUBLIC_URL: config.PUBLIC_URL ?? `http://localhost:${config.PORT}`,
    isDemoZoom: config.ZOOM_CLIENT_ID === undefined,
  }
}

function complaint(name: string, given: Record<string, string | undefined>): string {
  const setting: { may: string; secret?: boolean } = settings[name as keyof typeof settings]
  const value = given[name] ?? ''
  const held = setting.secret ? `${value.length} characters that do not fit` : JSON.stringify(value)
  return `${name} holds ${held}; it may hold ${setting.may}.`
}

function conflict(config: Settings): string | null {
  if (config.DATABASE_URL && !config.SECRET_KEY)
    return 'SECRET_KEY is not set; with DATABASE_URL it must hold at least 32 bytes, the same on every node.'
  if (config.REDIS_URL) return 'REDIS_URL is set, and this version runs as one server alone; remove it.'
  if (config.MASTER_HOSTNAME.toLowerCase() === config.HOST_HOSTNAME.toLowerCase())
    return `HOST_HOSTNAME holds "${config.HOST_HOSTNAME}", which is the MASTER_HOSTNAME; it may hold a name of its own.`
  if (config.ZOOM_CLIENT_SECRET && !config.ZOOM_CLIENT_ID)
    return 'ZOOM_CLIENT_ID is not set; with ZOOM_CLIENT_SECRET it must hold the client id of the same Zoom app.'
  if (config.ZOOM_CLIENT_ID && !config.ZOOM_CLIENT_SECRET)
    return 'ZOOM_CLIENT_SECRET is not set; with ZOOM_CLIENT_ID it must hold the client secret of the same Zoom app.'
  if (Boolean(config.ZOOM_SDK_KEY) !== Boolean(config.ZOOM_SDK_SECRET))
    return 'ZOOM_SDK_KEY and ZOOM_SDK_SECRET belong together: set both, or neither to use the Zoom app itself.'
  if (isNameAsPassword(config.MASTER_EMAIL, config.MASTER_PASSWORD))
    return 'MASTER_PASSWORD holds the MASTER_EMAIL; it may hold anything else of at least 8 characters.'
  if (config.MASTER_EMAIL && !config.MASTER_PASSWORD)
    return 'MASTER_PASSWORD is not set; with MASTER_EMAIL it must hold at least 8 characters.'
  return null
}
