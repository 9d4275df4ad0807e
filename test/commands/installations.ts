import { randomBytes } from 'node:crypto'
import { cp, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import type { Tables } from '../../server/db/tables.ts'
import { emptyDatabase, fill, type World } from '../processes/backup-world.ts'
import type { TestPostgres } from '../servers/postgres.ts'
import { TEMPLATE_VARIABLE } from '../servers/server-process.ts'

export const KINDS = ['embedded', 'PostgreSQL'] as const
export type Kind = (typeof KINDS)[number]
export type Env = Record<string, string>

interface Filled {
  env: Env
  world: World
}

interface Size {
  rows: number
  users: number
}

/** Makes installations below one folder, and fills each kind and size once: the others are copies. */
export class Installations {
  readonly #folder: string
  readonly #postgres: Pick<TestPostgres, 'urlOf'>
  readonly #templates = new Map<string, Promise<Filled>>()
  #made = 0

  constructor(folder: string, postgres: Pick<TestPostgres, 'urlOf'>) {
    this.#folder = folder
    this.#postgres = postgres
  }

  /** Nothing but a folder and, with PostgreSQL, an empty database and a key of its own. */
  async empty(kind: Kind): Promise<Env> {
    const DATA_DIR = join(this.#folder, `data-${++this.#made}`)
    await mkdir(DATA_DIR)
    if (kind === 'embedded') return { DATA_DIR }
    return this.#withDatabase(DATA_DIR, await emptyDatabase(this.#postgres.urlOf))
  }

  /** The copies of one size have the same rows, files and key. */
  async filled(kind: Kind, { rows = 3, users = 1 }: Partial<Size> = {}): Promise<Filled> {
    const name = `${kind} ${rows} ${users}`
    const template = this.#templates.get(name) ?? this.#makeTemplate(kind, { rows, users })
    this.#templates.set(name, template)
    const { env, world } = await template
    const DATA_DIR = join(this.#folder, `data-${++this.#made}`)
    await cp(env.DATA_DIR ?? '', DATA_DIR, { recursive: true })
    if (!env.DATABASE_URL) return { env: { DATA_DIR }, world }
    return { env: { ...env, DATA_DIR, DATABASE_URL: await this.#copyDatabase(env.DATABASE_URL) }, world }
  }

  async #makeTemplate(kind: Kind, { rows, users }: Size): Promise<Filled> {
    const env = await this.empty(kind)
    const { DATA_DIR = '' } = env
    const migrated = process.env[TEMPLATE_VARIABLE]
    if (kind === 'embedded' && migrated !== undefined) await cp(migrated, DATA_DIR, { recursive: true })
    return { env, world: await fill(env, rows, users) }
  }

  #withDatabase(DATA_DIR: string, DATABASE_URL: string): Env {
    return { DATA_DIR, DATABASE_URL, SECRET_KEY: randomBytes(32).toString('base64url'), ZOOM_DEMO: 'true' }
  }

  async #copyDatabase(url: string): Promise<string> {
    const name = `copy_${randomBytes(6).toString('hex')}`
    const pool = new pg.Pool({ connectionString: this.#postgres.urlOf('postgres'), max: 1 })
    const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
    const template = new URL(url).pathname.slice(1)
    await sql`create database ${sql.ref(name)} template ${sql.ref(template)}`.execute(db)
    await db.destroy()
    return this.#postgres.urlOf(name)
  }
}
