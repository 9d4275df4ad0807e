import { Readable } from 'node:stream'
import { sql } from 'kysely'
import type { AuditEntry } from '../../../shared/audit.ts'
import type { PersonRows } from '../../../shared/person.ts'
import type { Db } from '../../db/client.ts'
import type { Deps } from '../../deps.ts'
import { ALL_USERS, PAGE } from '../audit/audit-csv.ts'
import type { AuditSearchQueue } from '../audit/audit-search-queue.ts'
import { readAudit } from '../audit/read-audit.ts'
import type { ReadFilePage } from '../auth/file-pages.ts'
import type { KnownPerson } from './find-person.ts'

type ExportDeps = Parameters<typeof readAudit>[0] & Pick<Deps, 'now'>

const STAYS_AT_ONCE = 1_000
const NO_QUEUE: Pick<AuditSearchQueue, 'run'> = { run: (_host, search) => search() }

/** Streams a JSON file of all that is kept about a person: no secret, and nothing about others. */
export function personFile(deps: ExportDeps, readPage: ReadFilePage, person: KnownPerson): Readable {
  return Readable.from(fileText(deps, readPage, person))
}

/** Returns the whole file, for a command, which has no queue of searches. */
export async function personFileText(deps: Pick<Deps, 'db' | 'now'>, person: KnownPerson): Promise<string> {
  const parts: string[] = []
  const queue = { db: deps.db, now: deps.now, auditSearches: NO_QUEUE }
  for await (const part of fileText(queue, (read) => read(), person)) parts.push(part)
  return parts.join('')
}

async function* fileText(deps: ExportDeps, readPage: ReadFilePage, person: KnownPerson): AsyncGenerator<string> {
  const { db, now } = deps
  const { id, username } = person
  const first = await readPage(async () => ({
    exported_at: new Date(now()).toISOString(),
    person: { id, username, is_erased: person.is_erased },
    user: await readUser(db, person),
    ...(await readSmallTables(db, person)),
  }))
  const head = JSON.stringify(first, null, 2)
  yield `${head.slice(0, head.lastIndexOf('\n}'))},\n  "stays": [`
  yield* list(stayPages(db, readPage, person))
  yield '],\n  "speeches": ['
  yield* list(speechPages(db, readPage, person))
  yield '],\n  "audit": ['
  yield* list(auditPages(deps, readPage, person))
  yield ']\n}\n'
}

async function* list(pages: AsyncGenerator<object[]>): AsyncGenerator<string> {
  let isFirst = true
  for await (const page of pages) {
    for (const row of page) {
      yield `${isFirst ? '' : ','}\n    ${JSON.stringify(row)}`
      isFirst = false
    }
  }
  if (!isFirst) yield '\n  '
}

/** Leaves out the password, what identifies the phone to the server, and the keys by which names are compared. */
async function readUser(db: Db, { id, room_id }: KnownPerson): Promise<object | null> {
  const user = db
    .selectFrom('room_users')
    .select(['user_id', 'username', 'reference', 'email', 'is_active', 'is_muted', 'is_pinned', 'phone_changed'])
    .select(['device_id', 'device_bound_at', 'device_model', 'platform', 'app_version'])
    .select(['login_time', 'last_seen', 'created_at', 'updated_at'])
    .where('id', '=', id)
    .where('room_id', '=', room_id)
  const found = await user.executeTakeFirst()
  if (!found) return null
  const groups = db
    .selectFrom('user_groups')
    .innerJoin('room_users', 'room_users.room_id', 'user_groups.room_id')
    .select('name')
    .where('room_users.id', '=', id)
    .where('user_groups.room_id', '=', room_id)
    .where(sql<boolean>`user_groups.id = any (group_ids)`)
    .orderBy('name')
  return { ...found, group_names: (await groups.execute()).map(({ name }) => name) }
}

/** Each has few rows of a user: one, or those of a week or a month. */
async function readSmallTables(db: Db, { id, room_id, host_id }: KnownPerson) {
  const requests = db
    .selectFrom('phone_requests')
    .innerJoin('room_users', 'room_users.id', 'room_user_id')
    .select(['phone_requests.device_id', 'phone_requests.device_model', 'phone_requests.platform'])
    .select(['requested_at', 'decision', 'decided_at'])
    .where('room_user_id', '=', id)
    .where('room_id', '=', room_id)
  const links = db
    .selectFrom('sign_in_links')
    .innerJoin('room_users', 'room_users.id', 'room_user_id')
    .select('expires_at')
    .where('room_user_id', '=', id)
    .where('room_id', '=', room_id)
  const names = db
    .selectFrom('attendee_links')
    .select(['folded_name as name', 'created_at'])
    .where('room_user_id', '=', id)
    .where('room_id', '=', room_id)
  const sessions = db
    .selectFrom('sessions')
    .select(['ip', 'user_agent', 'created_at', 'last_active_at', 'expires_at', 'ended_at', 'end_reason'])
    .where('room_user_id', '=', id)
    .where('host_id', '=', host_id)
    .orderBy('created_at')
  const presences = db
    .selectFrom('sitting_people')
    .select(['meeting_uuid', 'participant', 'is_present', 'reported_at'])
    .where('room_user_id', '=', id)
    .where('room_id', '=', room_id)
    .orderBy('reported_at')
  const hands = db
    .selectFrom('raised_hands')
    .select(['meeting_uuid', 'raised_at', 'ended_at'])
    .where('room_user_id', '=', id)
    .where('room_id', '=', room_id)
    .orderBy('raised_at')
  const erasures = db.selectFrom('erasures').select(['erased_at', 'finished_at']).where('room_user_id', '=', id)
  return {
    sessions: await sessions.execute(),
    phone_requests: await requests.execute(),
    sign_in_links: await links.execute(),
    names_in_zoom: await names.execute(),
    meetings_at_zoom: await presences.execute(),
    hands_not_called: await hands.execute(),
    erasures: await erasures.where('room_id', '=', room_id).execute(),
  }
}

async function* stayPages(db: Db, readPage: ReadFilePage, { id, room_id }: KnownPerson): AsyncGenerator<object[]> {
  let last: { key: string; joined_at: Date } | undefined
  do {
    const after = last
    const page = await readPage(() =>
      db
        .selectFrom('stays')
        .select(['id as key', 'user_id', 'username', 'joined_at', 'left_at'])
        .where('room_user_id', '=', id)
        .where('room_id', '=', room_id)
        .$if(after !== undefined, (stays) =>
          stays.where((eb) =>
            eb(eb.refTuple('joined_at', 'id'), '>', eb.tuple(after?.joined_at ?? new Date(0), after?.key ?? '')),
          ),
        )
        .orderBy('joined_at')
        .orderBy('id')
        .limit(STAYS_AT_ONCE)
        .execute(),
    )
    yield page.map(({ key: _, ...stay }) => stay)
    last = page.length === STAYS_AT_ONCE ? page.at(-1) : undefined
  } while (last)
}

async function* speechPages(db: Db, readPage: ReadFilePage, { id, room_id }: KnownPerson): AsyncGenerator<object[]> {
  let after = new Date(0)
  for (;;) {
    const from = after
    const speeches = db.selectFrom('speeches').select(['began_at', 'ended_at']).where('room_user_id', '=', id)
    const later = speeches.where('room_id', '=', room_id).where('began_at', '>', from).orderBy('began_at')
    const page = await readPage(() => later.limit(STAYS_AT_ONCE).execute())
    yield page
    const last = page.at(-1)
    if (!last || page.length < STAYS_AT_ONCE) return
    after = last.began_at
  }
}

async function* auditPages(
  deps: ExportDeps,
  readPage: ReadFilePage,
  { id, host_id }: KnownPerson,
): AsyncGenerator<object[]> {
  let after: string | null = '0'
  while (after !== null) {
    const from: string = after
    const { entries, next } = await readPage(() =>
      readAudit(deps, { host_id, user: id, limit: PAGE, format: 'json' }, { usersEach: ALL_USERS, after: from }),
    )
    yield entries.map((entry) => ofPersonAlone(entry, id))
    after = next
  }
}

/** Leaves who else acted to their role, without an address, and takes out the other users of an act on many. */
function ofPersonAlone({ at, actor, action, target, ip, before, after, times }: AuditEntry, id: string): object {
  const isOwn = actor.id === id
  return {
    at,
    by: isOwn ? 'this person' : actor.role,
    action,
    is_about_person: target?.id === id || undefined,
    ip: isOwn ? ip : undefined,
    before: withoutOthers(before, id),
    after: withoutOthers(after, id),
    times,
  }
}

function withoutOthers(state: AuditEntry['before'], id: string): AuditEntry['before'] {
  if (!Array.isArray(state?.users)) return state
  const own = state.users.filter((user: unknown) => Object(user).id === id)
  return { ...state, users: own }
}

/** Reads the counts from the text of a file, so that they are those of the file. */
export function countsOf(text: string): PersonRows {
  const file: { stays: unknown[]; audit: unknown[] } = JSON.parse(text)
  return { stays: file.stays.length, audit_rows: file.audit.length }
}
