import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { RETENTION } from '../../server/jobs/retention.ts'

const document = readFileSync('docs/privacy.md', 'utf8')

/** The columns of each table, as server/db/tables.ts has them. */
function readSchema(): Map<string, string[]> {
  const text = readFileSync('server/db/tables.ts', 'utf8')
  const columnsIn = (body: string) => [...body.matchAll(/^ +(\w+): /gm)].map(([, name = '']) => name)
  const shared = new Map(
    [...text.matchAll(/^interface (\w+) \{\n([^}]*)\}/gm)].map(([, name = '', body = '']) => [name, columnsIn(body)]),
  )
  const tables = text
    .slice(text.indexOf('export interface Tables {'))
    .matchAll(/^ {2}(\w+): (?:(\w+) & )?\{\n([^}]*)^ {2}\}/gm)
  return new Map(
    [...tables].map(([, name = '', base = '', body = '']) => [name, [...(shared.get(base) ?? []), ...columnsIn(body)]]),
  )
}

/** The rows of the page's table: a table of the database, and the columns that hold something about a person. */
function readDocument(): Map<string, string[]> {
  const rows = [...document.matchAll(/^\| `(\w+)` \| ([^|]*)\|/gm)]
  return new Map(
    rows.map(([, name = '', columns = '']) => [name, [...columns.matchAll(/`(\w+)`/g)].map(([, one = '']) => one)]),
  )
}

/** Names of columns that hold nothing about a person in any table: times, states, counts, ids that name nobody, hashes. */
const IMPERSONAL = [
  /^(id|seq|key|claim|scope|scopes|kind|purpose|action|property|value|event|status|role|actor_role|occasion|failure)$/,
  /_(at|until|ms|bytes|gb|day|days|date|number|round|failures|writes|left|type|path|size|version|steps|lease|reason)$/,
  /^(is|has|allow|wants|removes|reconnect|archive|purge|host_mute|mute|device_secret|gone|password|join|turn_limit|queue)_/,
  /^(room|host|master|assistant|room_user|session|maker|link|seat|((zoom|planned)_)?meeting|zoom_file|transcript|rp|audit|numerical|by|actor|key)_id$/,
  /_(hash|ciphertext|challenge|uuid|enabled|only_row|issued|second_factor)$/,
  /^(hash|at|day|minute|months|times|written|version|previous_version|lease|attempts|tries_left|epoch|prefix|counter|transports)$/,
  /^(time|minutes|time_zone|weekdays|zoom_fault|mailed_for)$/,
  /^(public_key|credential_id|webauthn_challenge|challenge|decision|duration|recording|recording_since|change_number|return_url|phone_changed)$/,
]

test('docs/privacy.md has each table of the database once', () => {
  const named = [...document.matchAll(/^\| `(\w+)` \|/gm)].map(([, name = '']) => name)
  expect(named.toSorted()).toEqual([...readSchema().keys()].sort())
})

test('docs/privacy.md names columns that there are', () => {
  const schema = readSchema()
  const unknown = [...readDocument()].flatMap(([table, columns]) =>
    columns.filter((column) => !schema.get(table)?.includes(column)).map((column) => `${table}.${column}`),
  )
  expect(unknown).toEqual([])
})

test('each column either holds nothing about a person by its name, or is in docs/privacy.md', () => {
  const listed = readDocument()
  const undecided = [...readSchema()].flatMap(([table, columns]) =>
    columns
      .filter((column) => !IMPERSONAL.some((pattern) => pattern.test(column)) && !listed.get(table)?.includes(column))
      .map((column) => `${table}.${column}`),
  )
  expect(undecided).toEqual([])
})

test('docs/privacy.md states the times after which the jobs delete', () => {
  const days = (ms: number) => `${ms / 86_400_000} day${ms === 86_400_000 ? '' : 's'}`
  const timeOf = (table: string) => document.split('\n').find((line) => line.startsWith(`| \`${table}\``)) ?? ''
  for (const table of [
    'oauth_results',
    'sessions',
    'phone_requests',
    'erasures',
    'planned_meetings',
    'zoom_events',
  ] as const)
    expect(timeOf(table), table).toContain(days(RETENTION[table]))
  expect(timeOf('audit')).toContain('`RETENTION_AUDIT_DAYS`, 731')
  expect(timeOf('stays')).toContain('`RETENTION_ATTENDANCE_DAYS`, 396')
  expect(timeOf('recordings')).toContain('`RETENTION_RECORDINGS_DAYS`')
})
