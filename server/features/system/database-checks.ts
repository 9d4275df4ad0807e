import { sql } from 'kysely'
import packageJson from '../../../package.json' with { type: 'json' }
import { compareVersions, readInstalledVersion } from '../../db/installed-version.ts'
import { knownMigrations } from '../../db/migrate.ts'
import { ownVersion } from '../../lib/own-version.ts'
import { STORED_SECRETS } from '../backup/stored-secrets.ts'
import { scopeWarnings } from '../zoom-accounts/account-warnings.ts'
import { codeOf, counted, note, ok, problem, type RunCheck, warn } from './check.ts'

const OLDEST_POSTGRES = 14
const SAMPLES = 9
const SLOW_MS = 50
/** Rows of each kind whose secret is opened. */
const SECRETS_OPENED = 3
const HOSTS_NAMED = 3

export const checkVersion: RunCheck = async ({ db }) => {
  const installed = await readInstalledVersion(db())
  const own = packageJson.version
  if (installed === null || installed === own) return ok(`Parley ${ownVersion()}.`)
  const last = `The database was last used by Parley ${installed}; this is ${own}.`
  return compareVersions(installed, own) > 0
    ? problem(last, `Start ${installed}, or restore a backup.`)
    : warn(last, 'Start the server once: it updates the database.')
}

export const checkDatabase: RunCheck = async ({ db, config }) => {
  const { rows } = await sql<{ version: string; bytes: string | number }>`
    select current_setting('server_version') as version, pg_database_size(current_database()) as bytes`
    .execute(db())
    .catch((error: unknown) => {
      if (/^28/.test(codeOf(error))) return { rows: null }
      throw error
    })
  if (rows === null) return problem('It refuses the sign-in.', 'Check user and password in DATABASE_URL.')
  const times: number[] = []
  for (let sample = 0; sample < SAMPLES; sample++) {
    const sent = performance.now()
    await sql`select 1`.execute(db())
    times.push(performance.now() - sent)
  }
  const ms = times.toSorted((a, b) => a - b)[Math.floor(SAMPLES / 2)] ?? 0
  const version = rows[0]?.version.split(' ')[0] ?? ''
  const size = `${(Number(rows[0]?.bytes) / 1_000_000).toFixed(1)} MB`
  const found = `${config.DATABASE_URL ? 'PostgreSQL' : 'Embedded PostgreSQL'} ${version}, ${size}, ${ms.toFixed(1)} ms.`
  if (Number.parseInt(version, 10) < OLDEST_POSTGRES)
    return problem(found, `Update PostgreSQL to ${OLDEST_POSTGRES} or later.`)
  return ms > SLOW_MS ? warn(found, 'It answers slowly: bring it nearer, or give its machine more room.') : ok(found)
}

export const checkMigrations: RunCheck = async ({ db }) => {
  const own = await knownMigrations()
  const { rows: table } = await sql<{ is_there: boolean }>`
    select to_regclass('migrations') is not null as is_there`.execute(db())
  const done = table[0]?.is_there ? (await sql<{ name: string }>`select name from migrations`.execute(db())).rows : []
  const unknown = done.filter(({ name }) => !own.includes(name)).length
  if (unknown > 0)
    return problem(`The database has ${counted(unknown, 'migration')} of a newer release.`, 'Start that release.')
  const missing = own.length - done.length
  return missing > 0
    ? problem(`${missing} of ${counted(own.length, 'migration')} have not run.`, 'Start the server once.')
    : ok(`All ${counted(own.length, 'migration')}.`)
}

export const checkKey: RunCheck = async ({ db, secrets }) => {
  const own = await secrets()
  let opened = 0
  let closed = 0
  for (const { table, key, column, aad } of STORED_SECRETS) {
    const { rows } = await sql<{ key: string; ciphertext: string }>`
      select ${sql.ref(key)} as key, ${sql.ref(column)} as ciphertext from ${sql.table(table)}
      where ${sql.ref(column)} is not null limit ${sql.lit(SECRETS_OPENED)}`.execute(db())
    for (const row of rows) {
      try {
        own.decrypt(row.ciphertext, aad(row.key))
        opened++
      } catch {
        closed++
      }
    }
  }
  if (closed > 0)
    return problem(
      `It does not open ${closed} of ${counted(opened + closed, 'stored secret')}.`,
      'Put back the SECRET_KEY, or secret.key, with which they were stored.',
    )
  return ok(opened > 0 ? `It opens ${counted(opened, 'stored secret')}.` : 'Nothing is stored under it yet.')
}

export const checkZoomHosts: RunCheck = async ({ db }) => {
  const links = await db()
    .selectFrom('zoom_links')
    .innerJoin('hosts', 'hosts.id', 'zoom_links.host_id')
    .where('hosts.deleted_at', 'is', null)
    .select(['hosts.username', 'reconnect_needed', 'warnings', 'scopes'])
    .orderBy('hosts.numerical_id')
    .execute()
  if (links.length === 0) return note('No host has connected Zoom yet.')
  const troubled = links.filter(
    ({ reconnect_needed, warnings, scopes }) =>
      reconnect_needed || warnings.length > 0 || scopeWarnings(scopes).length > 0,
  )
  if (troubled.length === 0) return ok(`${counted(links.length, 'host')}, none in trouble.`)
  const names = troubled.slice(0, HOSTS_NAMED).map(({ username }) => username)
  const more = troubled.length > names.length ? ', …' : ''
  return warn(
    `${troubled.length} of ${counted(links.length, 'host')} in trouble: ${names.join(', ')}${more}.`,
    'Open them in Host Management, which says what each needs.',
  )
}
