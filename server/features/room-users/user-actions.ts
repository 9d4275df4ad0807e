import type { RoomAct } from '../../../shared/room-act.ts'
import type { DeactivationReason } from '../../../shared/room-events.ts'
import { type BulkOutcome, PINNED_MAX, type SeenUser, type UserAction } from '../../../shared/room-users.ts'
import type { HostActor } from '../../db/actor.ts'
import { audit } from '../../db/audit-log.ts'
import type { Tx } from '../../db/client.ts'
import { diffFields } from '../../db/diff-fields.ts'
import { lockHostShared } from '../../db/lock-host.ts'
import { nextChangeNumber } from '../../db/next-change-number.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { isUuid } from '../../lib/uuid.ts'
import { namesForAudit } from '../audit/listed-users.ts'
import type { RoomChange } from '../live-room/state/room-change.ts'
import { ROSTER_COLUMNS, type RosterEntry } from '../live-room/state/roster.ts'
import { voidPhoneRequests, voidSignInLinks } from '../phones/void-pending-sign-ins.ts'
import { requestPasscodeChange } from '../rooms/change-passcode.ts'
import { readLastAct, recordAct } from './room-acts.ts'

interface Effect {
  set?: Partial<Columns>
  /** Signs the phone out for this reason, and voids links that sign the user in. */
  signsOut?: DeactivationReason
  /** Voids requests for a new phone, so that none is approved once the user is active again. */
  voidsPhoneRequests?: true
  /** Renews the passcode: the phone knows it, and must not return through Zoom's own app. */
  renewsPasscode?: true
}

const EFFECTS: Record<UserAction, Effect> = {
  activate: { set: { is_active: true } },
  deactivate: { set: { is_active: false }, signsOut: 'deactivated', voidsPhoneRequests: true, renewsPasscode: true },
  delete: { signsOut: 'deleted', renewsPasscode: true },
  logout: { signsOut: 'logout' },
  switch: { set: { device_id: null, phone_changed: true }, signsOut: 'phone_changed', renewsPasscode: true },
  mute: { set: { is_muted: true } },
  unmute: { set: { is_muted: false } },
  'lower-hand': {},
  pin: { set: { is_pinned: true } },
  unpin: { set: { is_pinned: false } },
}

interface Columns {
  is_active: boolean
  is_muted: boolean
  is_pinned: boolean
  device_id: null
  phone_changed: boolean
}

/**
 * Applies one action to users of the host's room, in one transaction. Ids of other rooms are reported as not found, and
 * users for whom `expect` (by id) no longer holds as changed.
 */
export async function applyUserAction(
  deps: Deps,
  by: HostActor,
  action: UserAction,
  { userIds, expect = {} }: { userIds: string[]; expect?: Readonly<Record<string, SeenUser | undefined>> | undefined },
): Promise<BulkOutcome & { lastAct: RoomAct | null }> {
  const requested = new Map(userIds.map((id) => [id.toLowerCase(), id])) // once each, reported as it was sent
  const ids = [...requested.keys()]
  return deps.rooms.withRoomLock(by.host_id, async () => {
    const room = await deps.rooms.get(by.host_id)
    const hasOtherHand = (id: string) => {
      const { wants_to_speak_at } = expect[requested.get(id) ?? id] ?? {}
      return wants_to_speak_at !== undefined && !isSameTime(room.user(id)?.wants_to_speak_at, wants_to_speak_at)
    }
    const { updated, overtaken, ended, voided, number, act, lastAct } = await deps.db
      .transaction()
      .execute(async (tx) => {
        await lockHostShared(tx, by.host_id)
        const stored = await nextChangeNumber(tx, by.host_id)
        const { before, rows, overtaken } = await writeAction(
          deps,
          tx,
          { room: stored, action, ids: ids.filter(isUuid) },
          (row) => {
            const { wants_to_speak_at: _, ...seen } = expect[requested.get(row.id) ?? row.id] ?? {}
            const { host_mute_all_active } = stored
            return (
              hasOtherHand(row.id) || Object.keys(diffFields({ ...row, host_mute_all_active }, seen).after).length > 0
            )
          },
        )
        const userRows = rows.map((row) => row.id)
        const { signsOut, voidsPhoneRequests, renewsPasscode } = EFFECTS[action]
        const sessions =
          signsOut && userRows.length > 0 ? await deps.sessions.endRows(tx, { room_user_ids: userRows }, signsOut) : []
        const voidedLinks = signsOut ? await voidSignInLinks(tx, userRows) : []
        const voided = voidsPhoneRequests ? await voidPhoneRequests(tx, userRows) : []
        if (action === 'delete' && userRows.length > 0)
          await tx.deleteFrom('room_users').where('id', 'in', userRows).execute()
        if (renewsPasscode && userRows.length > 0) await requestPasscodeChange(deps, tx, by.host_id)
        const affected = new Set([...sessions.map(({ room_user_id }) => room_user_id), ...voidedLinks])
        const hasChanged = (row: RosterEntry) => {
          if (action === 'lower-hand') return Boolean(room.user(row.id)?.wants_to_speak_at)
          return action === 'delete' || affected.has(row.id) || Object.keys(fieldsBefore(action, row)).length > 0
        }
        const change =
          userIds.length > 1 ? bulkChange(deps, by, action, before, hasChanged) : oneChange(deps, by, action, before)
        if (userRows.length > 0) await audit(deps, tx, by, { action: `user_${action}`, ...change })
        const isMute = action === 'mute' || action === 'unmute'
        const act =
          isMute && userRows.length > 0
            ? await recordAct(deps, tx, by, { action: `user_${action}`, number: stored.change_number })
            : undefined
        const lastAct = overtaken.length > 0 ? await readLastAct(tx, by) : null
        return { updated: rows, overtaken, ended: sessions, voided, number: stored.change_number, act, lastAct }
      })

    const succeeded = updated.map((row) => row.id)
    const counted = room.deliveryTo(succeeded) // before they go offline
    await deps.rooms.commit(by.host_id, number, [...roomChanges(by, action, updated, deps.now(), act), ...voided])
    if (succeeded.length > 0) deps.metrics.commands.inc({ action })
    const { signsOut } = EFFECTS[action]
    if (signsOut) deps.sessions.forget(ended, signsOut)
    const failed = ids
      .filter((id) => !succeeded.includes(id))
      .map((id) => ({ id: requested.get(id) ?? id, ...(overtaken.includes(id) ? STATE_CHANGED : NOT_FOUND) }))
    return { succeeded, failed, ...(await counted), lastAct }
  })
}

export const STATE_CHANGED = {
  code: 'state_changed',
  message: 'This has changed in the meantime. Please look again.',
} as const
const NOT_FOUND = { code: 'not_found', message: 'User not found' }

function isSameTime(one: string | null | undefined, other: string | null): boolean {
  return one && other ? Date.parse(one) === Date.parse(other) : (one ?? null) === other
}

type Rows = Awaited<ReturnType<typeof writeAction>>['rows']

function fieldsBefore(action: UserAction, row: RosterEntry): object {
  if (action === 'delete') return { user_id: row.user_id, username: row.username, reference: row.reference }
  return diffFields({ ...row }, { ...EFFECTS[action].set }).before
}

function oneChange(deps: Deps, { host_id }: HostActor, action: UserAction, [row]: Rows) {
  if (!row) return {}
  if (action === 'delete')
    return { target: row.id, ...namesForAudit(deps, host_id, { before: fieldsBefore(action, row) }) }
  return {
    target: row.id,
    before: fieldsBefore(action, row),
    after: diffFields({ ...row }, { ...EFFECTS[action].set }).after,
  }
}

/** Lists the changed users with their previous state, while the host's audit still lists users; counts the rest. */
function bulkChange(
  deps: Deps,
  { host_id }: HostActor,
  action: UserAction,
  before: Rows,
  hasChanged: (row: RosterEntry) => boolean,
) {
  const rows = before.filter(hasChanged)
  const isListed = deps.listedUsers.tryTake(host_id, rows.length)
  const unchanged = before.length - rows.length
  return {
    ...(isListed && { before: { users: rows.map((row) => ({ id: row.id, ...fieldsBefore(action, row) })) } }),
    after: {
      ...EFFECTS[action].set,
      ...(!isListed && { users_changed: rows.length }),
      ...(unchanged > 0 && { users_unchanged: unchanged }),
    },
  }
}

async function writeAction(
  deps: Deps,
  tx: Tx,
  { room, action, ids }: { room: Awaited<ReturnType<typeof nextChangeNumber>>; action: UserAction; ids: string[] },
  isOvertaken: (row: RosterEntry) => boolean,
) {
  if (ids.length === 0) return { before: [], rows: [], overtaken: [] }
  const { set } = EFFECTS[action]
  const stored = await tx
    .selectFrom('room_users')
    .select([...ROSTER_COLUMNS, 'mute_round'])
    .where('room_id', '=', room.id)
    .where('id', 'in', ids)
    .forUpdate()
    .execute()
  // A single user's mute is valid until the room's next round of Mute All or Unmute All.
  const present = stored.map(({ mute_round, ...row }) => ({
    ...row,
    is_muted: mute_round === room.mute_round ? row.is_muted : room.host_mute_all_active,
  }))
  const overtaken = present.filter(isOvertaken).map(({ id }) => id)
  const before = present.filter(({ id }) => !overtaken.includes(id))
  if (!set || before.length === 0) return { before, rows: before, overtaken }
  const rows = await tx
    .updateTable('room_users')
    .set({ ...set, updated_at: new Date(deps.now()) })
    .$if(set.device_id === null, (update) =>
      update.set({ device_secret_hash: null, device_secret_required: false, device_bound_at: null }),
    )
    .$if(set.is_muted !== undefined, (update) => update.set({ mute_round: room.mute_round }))
    .where('room_id', '=', room.id)
    .where(
      'id',
      'in',
      before.map(({ id }) => id),
    )
    .returning(ROSTER_COLUMNS)
    .execute()
  if (set.is_pinned) await requireFewPinned(tx, room.id)
  return { before, rows, overtaken }
}

/** Refuses a room that Mute All would hardly silence; each pinned user stands in the event of a Mute All. */
async function requireFewPinned(tx: Tx, room_id: string): Promise<void> {
  const pinned = tx.selectFrom('room_users').where('room_id', '=', room_id).where('is_pinned', '=', true)
  const { count } = await pinned.select((eb) => eb.fn.countAll<string>().as('count')).executeTakeFirstOrThrow()
  if (Number(count) > PINNED_MAX)
    throw new AppError('conflict', `At most ${PINNED_MAX} users of a room can be pinned. Unpin one first.`)
}

function roomChanges({ acts_as }: HostActor, action: UserAction, rows: Rows, at: number, act?: RoomAct): RoomChange[] {
  const ids = rows.map((row) => row.id)
  if (action === 'mute' || action === 'unmute')
    return [{ type: 'mute', ids, is_muted: action === 'mute', by: acts_as, ...(act && { act }) }]
  if (action === 'lower-hand') return [{ type: 'lower-hands', ids }]
  const { signsOut } = EFFECTS[action]
  return [
    ...rows.map((entry) => ({ type: 'upsert' as const, entry })),
    ...(signsOut ? [{ type: 'sign-out' as const, ids, reason: signsOut, at }] : []),
    ...(action === 'delete' ? ids.map((id) => ({ type: 'remove' as const, id, at })) : []),
  ]
}
