import { sql } from 'kysely'
import { normaliseForComparison } from '../../../shared/normalise.ts'
import type { PersonRows } from '../../../shared/person.ts'
import type { Actor } from '../../db/actor.ts'
import { audit } from '../../db/audit-log.ts'
import type { Db, Tx } from '../../db/client.ts'
import { withJobLock } from '../../db/job-lock.ts'
import { lockHostShared } from '../../db/lock-host.ts'
import { nextChangeNumber } from '../../db/next-change-number.ts'
import type { Deps } from '../../deps.ts'
import { invalidField } from '../../errors.ts'
import type { MastersDeps } from '../masters/list-masters.ts'
import { voidPendingSignIns } from '../phones/void-pending-sign-ins.ts'
import { requestPasscodeChange } from '../rooms/change-passcode.ts'
import { findPerson } from './find-person.ts'
import { countPersonRows, ERASED_NAME, isOfPerson, listsPerson, type Person } from './person-rows.ts'

/** A running server has the last two. Without them its sweep finds the user gone in the database. */
export type PersonDeps = MastersDeps & Partial<Pick<Deps, 'rooms' | 'stays'>>

const ROWS_AT_ONCE = 500
/** Each may list thousands of users. */
const LISTS_AT_ONCE = 20
/** The rows of a lifetime may take longer; the job goes on with them. */
const WAIT_MS = 5_000

/** Erases a user by its id, for a host who has typed its name. A repeat gets the same answer. */
export async function erasePerson(
  deps: Deps,
  by: Actor & { host_id: string },
  id: string,
  typedName: string,
): Promise<PersonRows> {
  const { username, is_erased, ...person } = await findPerson(deps.db, by.host_id, id)
  if (is_erased) return countPersonRows(deps.db, person)
  if (normaliseForComparison(typedName.trim()) !== normaliseForComparison(username.trim()))
    throw invalidField('confirm_name', 'This is not the name of this user')
  return eraseFoundPerson(deps, by, person)
}

export async function eraseFoundPerson(deps: PersonDeps, by: Actor, person: Person): Promise<PersonRows> {
  const { rooms, stays } = deps
  await stays?.flush() // so that no name of it is written any more
  const remove = () => removeUser(deps, by, person)
  const rows = await (rooms ? rooms.withRoomLock(person.host_id, remove) : remove())
  await stays?.flush()
  await emptyRows(deps, person, AbortSignal.timeout(WAIT_MS))
  return rows
}

/** There is no way back after this transaction: the job does what is left, if nobody else does. */
async function removeUser(deps: PersonDeps, by: Actor, { id, room_id, host_id }: Person): Promise<PersonRows> {
  const { ended, number, changes, rows } = await deps.db.transaction().execute(async (tx) => {
    await lockHostShared(tx, host_id)
    const { change_number } = await nextChangeNumber(tx, host_id)
    const ended = await deps.sessions.endRows(tx, { room_user_ids: [id] }, 'deleted')
    const changes = await voidPendingSignIns(tx, [id])
    const removed = tx.deleteFrom('room_users').where('id', '=', id).where('room_id', '=', room_id)
    const wasThere = (await removed.executeTakeFirst()).numDeletedRows > 0n
    if (wasThere) await requestPasscodeChange(deps, tx, host_id)
    await tx.deleteFrom('sitting_people').where('room_id', '=', room_id).where('room_user_id', '=', id).execute()
    await tx.deleteFrom('idempotency_keys').where('actor', '=', id).execute()
    const rows = await countPersonRows(tx, { id, room_id, host_id })
    const isFirst = await insertErasure(tx, { id, room_id }, new Date(deps.now()))
    if (isFirst) await audit(deps, tx, by, { host_id, action: 'person_erased', target: id, after: rows })
    return { ended, number: change_number, changes, rows }
  })
  const signOut = { type: 'sign-out' as const, ids: [id], reason: 'deleted' as const, at: deps.now() }
  await deps.rooms?.commit(host_id, number, [...changes, signOut, { type: 'remove', id, at: deps.now() }])
  deps.sessions.forget(ended, 'deleted')
  return rows
}

async function insertErasure(tx: Tx, { id, room_id }: Omit<Person, 'host_id'>, erased_at: Date): Promise<boolean> {
  const erasure = { room_user_id: id, room_id, erased_at }
  const inserted = tx
    .insertInto('erasures')
    .values(erasure)
    .onConflict((conflict) => conflict.doNothing())
  return ((await inserted.executeTakeFirst()).numInsertedOrUpdatedRows ?? 0n) > 0n
}

/**
 * Takes the person out of stays and audit, in steps that can each be repeated. Returns how many rows it changed. Leaves the
 * rest if another server is at it.
 */
export async function emptyRows(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  person: Person,
  signal?: AbortSignal,
): Promise<number> {
  let total = 0
  let after: string | null = '0'
  while (after !== null && !signal?.aborted) {
    const from: string = after
    const step = await withJobLock(db, `erase ${person.id}`, async (tx) => {
      const changed = (await emptyStays(tx, person)) + (await emptyAudit(tx, person))
      return changed > 0 ? { changed, last: from } : emptyLists(tx, person, from)
    })
    if (!step) return total
    total += step.changed
    after = step.last
  }
  if (after === null) await finishErasure(db, person, new Date(now()))
  return total
}

async function finishErasure(db: Db, { id }: Person, finished_at: Date): Promise<void> {
  const erasure = db.updateTable('erasures').set({ finished_at }).where('room_user_id', '=', id)
  await erasure.where('finished_at', 'is', null).execute()
}

/** Keeps the times, and which stays are one person's. */
async function emptyStays(tx: Tx, { id, room_id }: Person): Promise<number> {
  const named = tx
    .selectFrom('stays')
    .select('id')
    .where('room_user_id', '=', id)
    .where('room_id', '=', room_id)
    .where((eb) => eb.or([eb('username', '!=', ERASED_NAME), eb('user_id', '!=', '')]))
    .limit(ROWS_AT_ONCE)
  const emptied = tx.updateTable('stays').set({ username: ERASED_NAME, user_id: '' }).where('id', 'in', named)
  return Number((await emptied.executeTakeFirst()).numUpdatedRows)
}

/** Keeps action, time and ids of what was done by the person and to it alone. */
async function emptyAudit(tx: Tx, person: Person): Promise<number> {
  await declareErasure(tx, person)
  const full = sql`(before is not null or after is not null or ip is not null) and action <> 'person_erased'`
  const { numAffectedRows } = await sql`
    update audit set before = null, after = null, ip = null
    where seq in (select seq from audit where ${isOfPerson(person)} and ${full} limit ${sql.lit(ROWS_AT_ONCE)})`.execute(
    tx,
  )
  return Number(numAffectedRows ?? 0)
}

/** Leaves the other users of acts on many. `last` is the last row that it saw; null after all of them. */
async function emptyLists(tx: Tx, person: Person, after: string): Promise<{ changed: number; last: string | null }> {
  const { rows } = await sql<{ seq: string }>`
    select seq from audit where ${listsPerson(person)} and seq > ${after}
    order by seq limit ${sql.lit(LISTS_AT_ONCE)}`.execute(tx)
  const last = rows.at(-1)
  if (!last) return { changed: 0, last: null }
  await declareErasure(tx, person)
  const without = (state: 'before' | 'after') => sql`audit_without_user(${sql.ref(state)}, ${person.id})`
  const { numAffectedRows } = await sql`
    update audit set before = ${without('before')}, after = ${without('after')}
    where seq in (${sql.join(rows.map(({ seq }) => seq))})
      and (before is distinct from ${without('before')} or after is distinct from ${without('after')})`.execute(tx)
  return { changed: Number(numAffectedRows ?? 0), last: String(last.seq) }
}

/** The audit's trigger permits its change while this transaction names the person. */
async function declareErasure(tx: Tx, { id }: Person): Promise<void> {
  await sql`select set_config('parley.erasing_user', ${id}, true)`.execute(tx)
}
