import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { everyoneSpeaks } from './scenarios/everyone-speaks.ts'
import { phonesDrop } from './scenarios/phones-drop.ts'
import { quietRoom } from './scenarios/quiet-room.ts'
import type { Scenario } from './scenarios/scenario.ts'
import { talk } from './scenarios/talk.ts'

const SCENARIOS: Record<string, Scenario> = {
  talk,
  'quiet-room': quietRoom,
  'everyone-speaks': everyoneSpeaks,
  'phones-drop': phonesDrop,
}

export const PHONES_HELP = `Simulated phones for a Parley room.

  npm run phones -- --host-id H000001 --count 200 --minutes 5

  --host-id        the room's Host ID, as people type it in the phone app
  --count          how many phones, 1 to 10000 (default 36)
  --minutes        how long, fractions allowed; 0 until stopped (default 5)
  --server         the Parley server (default http://127.0.0.1:3000, or from PORT and BIND)
  --zoom           the Zoom emulator whose meeting the phones join (default: the one that the server uses)
  --scenario       ${Object.entries(SCENARIOS)
    .map(([name, { about }]) => `${name.padEnd(16)} ${about}`)
    .join('\n                   ')}
  --seed           repeats a run: the same people do the same things (default 1)
  --credentials    a file with the phones' logins: CSV with one username,password on each line,
                   or JSON: [{"username": "...", "password": "..."}]
  --host-username  } the host's console login. Its users' passwords are read by it, and missing users are added.
  --host-password  } Also as PHONES_HOST_USERNAME and PHONES_HOST_PASSWORD in the environment.
  --help           this text

With neither --credentials nor a host's login, the demo's sample login of that host is tried.
Users who are stopped, online, or linked to another phone are left alone. The phones' device secrets are in
DATA_DIR (default data), phone-secrets.jsonl: without that file the server takes them for other phones.
`

const wholeNumber = (most: number) => z.coerce.number().int().min(1).max(most)

const Flags = z.object({
  'host-id': z.string().trim().min(1).max(32),
  count: wholeNumber(10_000).default(36),
  minutes: z.coerce.number().min(0).max(100_000).default(5),
  server: z.url({ protocol: /^https?$/ }),
  zoom: z.url({ protocol: /^https?$/ }).optional(),
  scenario: z.literal(Object.keys(SCENARIOS)).default('talk'),
  seed: z.string().min(1).default('1'),
  credentials: z.string().min(1).optional(),
  'host-username': z.string().min(1).optional(),
  'host-password': z.string().min(1).optional(),
})

const ALLOWED: Record<string, string> = {
  'host-id': 'a Host ID such as H000001',
  count: 'a whole number from 1 to 10000',
  minutes: 'a number of minutes, or 0 for no end',
  server: 'an address such as http://127.0.0.1:3000',
  zoom: 'an address such as http://localhost:3001',
  scenario: Object.keys(SCENARIOS).join(', '),
}

export type Options = Omit<z.output<typeof Flags>, 'scenario'> & { scenario: Scenario; secrets: string }

/** Throws a one-line error with the flag, its value and the permitted ones. */
export function readOptions(args: string[], env: Record<string, string | undefined>): Options | 'help' {
  const options = Object.fromEntries(Object.keys(Flags.shape).map((name) => [name, { type: 'string' as const }]))
  const parsed = parseArgs({ args, options: { ...options, help: { type: 'boolean' as const } }, strict: true })
  const values: Record<string, unknown> = parsed.values
  if (values.help) return 'help'

  const flags = {
    server: serverUrlFrom(env),
    'host-username': env.PHONES_HOST_USERNAME,
    'host-password': env.PHONES_HOST_PASSWORD,
    ...values,
  }
  const read = Flags.safeParse(flags)
  if (!read.success) {
    const name = String(read.error.issues[0]?.path[0])
    const value = values[name]
    throw new Error(`--${name} ${value === undefined ? 'is missing' : `is "${value}"`}: it takes ${ALLOWED[name]}`)
  }
  if (Boolean(read.data['host-username']) !== Boolean(read.data['host-password'])) {
    throw new Error('--host-username and --host-password go together')
  }
  return {
    ...read.data,
    server: read.data.server.replace(/\/+$/, ''),
    scenario: SCENARIOS[read.data.scenario] ?? talk,
    secrets: join(env.DATA_DIR || 'data', 'phone-secrets.jsonl'),
  }
}

export function serverUrlFrom(env: Record<string, string | undefined>) {
  const bind = env.BIND || '127.0.0.1'
  const everywhere = bind === '0.0.0.0' || bind === '::'
  const address = everywhere ? '127.0.0.1' : bind.includes(':') ? `[${bind}]` : bind
  return `http://${address}:${env.PORT || 3000}`
}
