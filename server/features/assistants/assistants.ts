import { sql } from 'kysely'
import { type AddAssistant, ASSISTANTS_MAX, type Assistant, type EditAssistant } from '../../../shared/assistants.ts'
import { normaliseForComparison } from '../../../shared/normalise.ts'
import type { HostActor } from '../../db/actor.ts'
import { audit } from '../../db/audit-log.ts'
import type { Db, Tx } from '../../db/client.ts'
import { diffFields } from '../../db/diff-fields.ts'
import { lockHost } from '../../db/lock-host.ts'
import type { Deps } from '../../deps.ts'
import { AppError, notFound } from '../../errors.ts'
import { makeAccountLink, voidAccountLinks } from '../auth/account-links.ts'
import { ownsFactor } from '../second-factor/factors.ts'
import { removeSecondFactors } from '../second-factor/remove-second-factors.ts'
import { loginNameOf } from './find-assistant.ts'
import { requireFreeAssistantName } from './sign-in-names.ts'

export async function listAssistants(db: Db | Tx, host_id: string, now: number): Promise<Assistant[]> {
  const rows = await db
    .selectFrom('assistants')
    .innerJoin('hosts', 'hosts.id', 'assistants.host_id')
    .select(['assistants.id', 'name', 'role', 'hosts.username as host_name', 'assistants.login_time'])
    .select(['assistants.password_hash', 'assistants.created_at'])
    .select((eb) => [
      eb
        .selectFrom('sessions')
        .select((of) => of.fn.max('last_active_at').as('at'))
        .whereRef('assistant_id', '=', 'assistants.id')
        .as('last_active_at'),
      eb
        .selectFrom('account_links')
        .select('expires_at')
        .whereRef('assistant_id', '=', 'assistants.id')
        .where('expires_at', '>', new Date(now))
        .as('invited_until'),
      ownsFactor({ role: 'assistant' }, sql.ref('assistants.id')).as('has_second_factor'),
    ])
    .where('host_id', '=', host_id)
    .where('removed_at', 'is', null)
    .orderBy('assistants.created_at')
    .orderBy('assistants.id')
    .execute()
  return rows.map(({ password_hash, login_time, last_active_at, created_at, invited_until, host_name, ...row }) => ({
    ...row,
    login_name: loginNameOf({ name: row.name, host_name }),
    is_active: password_hash !== null,
    created_at: created_at.toISOString(),
    last_active_at: latest(login_time, last_active_at)?.toISOString() ?? null,
    invited_until: invited_until?.toISOString() ?? null,
  }))
}

/** Sessions are deleted in time, the last sign-in is not. */
const latest = (one: Date | null, other: Date | null) => (one && other && other > one ? other : (one ?? other))

interface MadeLink {
  url: string
  expires_at: Date
}

export function addAssistant(
  deps: Deps,
  by: HostActor,
  { name, role }: AddAssistant,
): Promise<MadeLink & { assistant: Assistant }> {
  return deps.db.transaction().execute(async (tx) => {
    const host = await lockOwner(tx, by)
    const present = await listAssistants(tx, by.host_id, deps.now())
    if (present.length >= ASSISTANTS_MAX)
      throw new AppError('conflict', `A room has at most ${ASSISTANTS_MAX} assistants. Remove one first.`)
    await requireFreeAssistantName(tx, host, name)
    const { id } = await tx
      .insertInto('assistants')
      .values({
        host_id: by.host_id,
        name,
        name_key: normaliseForComparison(name),
        role,
        created_at: new Date(deps.now()),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const link = await makeLink(deps, tx, by, id, false)
    await audit(deps, tx, by, { action: 'assistant_added', target: id, after: { name, role } })
    return { ...link, assistant: await readAssistant(deps, tx, by, id) }
  })
}

/** A changed role ends the sessions, whose rights were those of the former one. */
export async function editAssistant(deps: Deps, by: HostActor, id: string, edit: EditAssistant): Promise<Assistant> {
  const ROLE_CHANGED = 'role_changed'
  const { assistant, ended } = await deps.db.transaction().execute(async (tx) => {
    const host = await lockOwner(tx, by)
    const before = await readAssistant(deps, tx, by, id)
    const { name = before.name, role = before.role } = edit
    const name_key = normaliseForComparison(name)
    if (name_key !== normaliseForComparison(before.name)) await requireFreeAssistantName(tx, host, name, id)
    const change = diffFields({ name: before.name, role: before.role }, { name, role })
    if (Object.keys(change.after).length === 0) return { assistant: before, ended: [] }
    await tx.updateTable('assistants').set({ name, name_key, role }).where('id', '=', id).execute()
    await audit(deps, tx, by, { action: 'assistant_edited', target: id, ...change })
    const ended =
      role === before.role ? [] : await deps.sessions.endRows(tx, { of: { role: 'assistant', id } }, ROLE_CHANGED)
    return { assistant: await readAssistant(deps, tx, by, id), ended }
  })
  deps.sessions.forget(ended, ROLE_CHANGED)
  return assistant
}

/** Replaces an open link. The present password works until the new one is used. */
export function inviteAssistant(
  deps: Deps,
  by: HostActor,
  id: string,
  removes_second_factor: boolean,
): Promise<MadeLink> {
  return deps.db.transaction().execute(async (tx) => {
    await lockOwner(tx, by)
    await readAssistant(deps, tx, by, id)
    const link = await makeLink(deps, tx, by, id, removes_second_factor)
    const after = { expires_at: link.expires_at, removes_second_factor }
    await audit(deps, tx, by, { action: 'assistant_invited', target: id, after })
    return link
  })
}

/** Keeps the row, whose name the audit shows. The name is free for another assistant. */
export async function removeAssistant(deps: Deps, by: HostActor, id: string): Promise<void> {
  const REMOVED = 'removed'
  const ended = await deps.db.transaction().execute(async (tx) => {
    await lockOwner(tx, by)
    const { name, role } = await readAssistant(deps, tx, by, id)
    await tx
      .updateTable('assistants')
      .set({ removed_at: new Date(deps.now()), password_hash: null })
      .where('id', '=', id)
      .execute()
    await voidAccountLinks(tx, { assistant_id: id })
    await removeSecondFactors(tx, { role: 'assistant', id })
    await audit(deps, tx, by, { action: 'assistant_removed', target: id, before: { name, role } })
    return deps.sessions.endRows(tx, { of: { role: 'assistant', id } }, REMOVED)
  })
  deps.sessions.forget(ended, REMOVED)
}

export async function countAssistants(db: Db, host_id: string): Promise<number> {
  const { count } = await db
    .selectFrom('assistants')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('host_id', '=', host_id)
    .where('removed_at', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

async function lockOwner(tx: Tx, { host_id }: HostActor) {
  const host = await lockHost(tx, host_id)
  if (!host || host.deleted_at) throw notFound('Host')
  return host
}

async function readAssistant({ now }: Deps, tx: Tx, { host_id }: HostActor, id: string): Promise<Assistant> {
  const found = (await listAssistants(tx, host_id, now())).find((assistant) => assistant.id === id)
  if (!found) throw notFound('Assistant')
  return found
}

function makeLink(deps: Deps, tx: Tx, by: HostActor, assistant_id: string, removes_second_factor: boolean) {
  const account = { assistant_id }
  return makeAccountLink(deps, tx, by, { purpose: 'assistant_invite', account, removes_second_factor })
}
