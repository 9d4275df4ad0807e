import { z } from 'zod'
import type { EmulatorOptions } from './app.ts'

const Env = z.object({
  ZOOM_EMULATOR_PORT: z.coerce.number().int().min(0).max(65_535).default(3001),
  BIND: z.string().default('127.0.0.1'),
  ZOOM_EMULATOR_HOSTNAME: z.string().default('localhost'),
  ZOOM_CLIENT_ID: z.string().default('parley-demo'),
  ZOOM_CLIENT_SECRET: z.string().default('parley-demo-secret'),
  ZOOM_SDK_KEY: z.string().optional(),
  ZOOM_SDK_SECRET: z.string().optional(),
  ZOOM_WEBHOOK_SECRET: z.string().optional(),
  ZOOM_WEBHOOK_URL: z.url({ protocol: /^https?$/ }).optional(),
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).default('http://localhost:3000'),
  ZOOM_EMULATOR_STATE: z.string().optional(),
  ZOOM_EMULATOR_CONTROL: z.enum(['0', '1']).default('0'),
})

const allowed: Record<string, string> = {
  ZOOM_EMULATOR_PORT: 'a port from 0 (any free one) to 65535',
  ZOOM_WEBHOOK_URL: 'an http or https address',
  PUBLIC_URL: 'an http or https address',
  ZOOM_EMULATOR_CONTROL: '0 or 1',
}

/** An empty variable counts as unset. */
export function readConfig(env: Record<string, string | undefined>): EmulatorOptions {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
  const result = Env.safeParse(given)
  if (!result.success) {
    const name = String(result.error.issues[0]?.path[0])
    throw new Error(`${name} is "${env[name]}", but it may only be ${allowed[name] ?? 'text'}.`)
  }
  const { PUBLIC_URL, ...read } = result.data
  const site = PUBLIC_URL.replace(/\/+$/, '')
  return {
    port: read.ZOOM_EMULATOR_PORT,
    bind: read.BIND,
    hostname: read.ZOOM_EMULATOR_HOSTNAME,
    clientId: read.ZOOM_CLIENT_ID,
    clientSecret: read.ZOOM_CLIENT_SECRET,
    sdkKey: read.ZOOM_SDK_KEY,
    sdkSecret: read.ZOOM_SDK_SECRET,
    redirectUris: [`${site}/api/oauth/callback`],
    webhookUrl: read.ZOOM_WEBHOOK_URL ?? `${site}/api/zoom/webhooks`,
    webhookSecret: read.ZOOM_WEBHOOK_SECRET,
    stateFile: read.ZOOM_EMULATOR_STATE,
    control: read.ZOOM_EMULATOR_CONTROL === '1',
  }
}
