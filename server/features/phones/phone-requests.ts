import type { z } from 'zod'
import { DAY_MS } from '../../../shared/dates.ts'
import type { MobileLogin } from '../../../shared/mobile.ts'
import type { PhoneRequest, PhoneRequestDecision, PhoneRequestState } from '../../../shared/phone-requests.ts'
import type { Caller, HostActor } from '../../db/actor.ts'
import { audit } from '../../db/audit-log.ts'
import type { Db, Tx } from '../../db/client.ts'
import { lockHostShared } from '../../db/lock-host.ts'
import { nextChangeNumber } from '../../db/next-change-number.ts'
import type { Deps } from '../../deps.ts'
import { AppError, notFound } from '../../errors.ts'
import { randomToken, sha256 } from '../../lib/secrets.ts'
import type { TokenBuckets } from '../../lib/token-bucket.ts'
import type { RoomChange } from '../live-room/state/room-change.ts'
import { ROSTER_COLUMNS } from '../live-room/state/roster.ts'
import { requestPasscodeChange } from '../rooms/change-passcode.ts'
import { requireSubscription } from '../subscriptions/require-subscription.ts'
import { isOtherPhone } from './device-binding.ts'
import { lockUser, passwordProof, verifyPassword, wrongCredentials } from './phone-login.ts'
import { voidSignInLinks } from './void-pending-sign-ins.ts'

/** After this time both the host and the user have forgotten the request. */
export const WAITING_MS = DAY_MS

const CHANGED: RoomChange = { type: 'phone-requests' }

/**
 * Requests the host's consent to replace the bound phone by this one. A later request of the same user replaces this
 * one. The ticket reads the outcome.
 */
export async function requestPhoneChange(
  deps: Deps,
  by: Caller,
  login: z.output<typeof MobileLogin>,
  requests: TokenBuckets,
): Promise<{ ticket: string; expires_at: string }> {
  const { account, host, user } = await verifyPassword(deps, by, login)
  if (!user) throw new AppError('conflict', 'Please change the phone of a host in Host Master.')
  requests.take(account)
  const ticket = randomToken()
  const requestedAt = new Date(deps.now())
  await deps.rooms.withRoomLock(host.id, async () => {
    const number = await deps.db.transaction().execute(async (tx) => {
      const current = await lockHostShared(tx, host.id)
      if (!current || current.deleted_at) throw wrongCredentials()
      requireSubscription(current, requestedAt)
      const { change_number } = await nextChangeNumber(tx, host.id)
      const row = await lockUser(tx, user.id, current, passwordProof(account, user.password_ciphertext))
      if (!isOtherPhone(row, login))
        throw new AppError('conflict', 'This phone needs no consent of the host. Please sign in.')
      await insertRequest(tx, user.id, login, sha256(ticket), requestedAt)
      const { device_id, device_model = null } = login
      const phone = { ...by, role: 'phone' as const, id: user.id, host_id: host.id }
      const after = { device_id, device_model }
      await audit(deps, tx, phone, { action: 'phone_change_asked', target: user.id, after })
      return change_number
    })
    await deps.rooms.get(host.id)
    await deps.rooms.commit(host.id, number, [CHANGED])
  })
  return { ticket, expires_at: new Date(requestedAt.getTime() + WAITING_MS).toISOString() }
}

async function insertRequest(
  tx: Tx,
  room_user_id: string,
  { device_id, device_model = null, platform }: z.output<typeof MobileLogin>,
  ticket_hash: string,
  requested_at: Date,
): Promise<void> {
  const request = { ticket_hash, device_id, device_model, platform, requested_at, decision: null, decided_at: null }
  await tx
    .insertInto('phone_requests')
    .values({ room_user_id, ...request })
    .onConflict((conflict) => conflict.column('room_user_id').doUpdateSet(request))
    .execute()
}

/** Unbinding the phone in the list of users is an approval too. */
export async function readRequestState({ db, now }: Deps, ticket: string): Promise<PhoneRequestState> {
  const row = await db
    .selectFrom('phone_requests')
    .innerJoin('room_users', 'room_users.id', 'phone_requests.room_user_id')
    .select(['requested_at', 'decision', 'room_users.device_id as bound'])
    .where('ticket_hash', '=', sha256(ticket))
    .executeTakeFirst()
  if (!row) return 'expired'
  if (row.decision) return row.decision
  if (row.bound === null) return 'approved'
  return isWaiting(row.requested_at, now()) ? 'waiting' : 'expired'
}

function isWaiting(requestedAt: Date, now: number): boolean {
  return requestedAt.getTime() > now - WAITING_MS
}

/** Lists the waiting requests, oldest first. */
export async function listPhoneRequests({ db, now }: Deps, { host_id }: HostActor): Promise<PhoneRequest[]> {
  const rows = await waitingRequests(db, host_id, now())
    .select(['room_users.id', 'room_users.user_id', 'room_users.username', 'room_users.reference'])
    .select(['phone_requests.device_model', 'phone_requests.platform', 'requested_at'])
    .orderBy('requested_at')
    .execute()
  return rows.map(({ requested_at, ...row }) => ({ ...row, requested_at: requested_at.toISOString() }))
}

function waitingRequests(db: Db | Tx, host_id: string, now: number) {
  return db
    .selectFrom('phone_requests')
    .innerJoin('room_users', 'room_users.id', 'phone_requests.room_user_id')
    .innerJoin('rooms', 'rooms.id', 'room_users.room_id')
    .where('rooms.host_id', '=', host_id)
    .where('decision', 'is', null)
    .where('requested_at', '>', new Date(now - WAITING_MS))
    .where('room_users.device_id', 'is not', null)
}

/** An approval binds the requesting phone at once, so that no other one can come first. */
export async function decidePhoneRequest(
  deps: Deps,
  by: HostActor,
  id: string,
  { decision, expected }: { decision: PhoneRequestDecision; expected: string | undefined },
): Promise<void> {
  const { host_id } = by
  await deps.rooms.withRoomLock(host_id, async () => {
    const { ended, entry, number } = await deps.db.transaction().execute(async (tx) => {
      await lockHostShared(tx, host_id)
      const { change_number } = await nextChangeNumber(tx, host_id)
      const request = await waitingRequests(tx, host_id, deps.now())
        .select(['phone_requests.device_id', 'phone_requests.device_model', 'phone_requests.platform'])
        .select(['room_users.device_model as before', 'requested_at'])
        .where('room_user_id', '=', id)
        .forUpdate()
        .executeTakeFirst()
      if (!request) throw notFound('Request')
      const { before, requested_at, ...device } = request
      if (expected !== undefined && Date.parse(expected) !== requested_at.getTime())
        throw new AppError('state_changed', 'This user has asked again, from another phone maybe. Please look again.')
      const isApproved = decision === 'approve'
      await tx
        .updateTable('phone_requests')
        .set({ decision: isApproved ? 'approved' : 'refused', decided_at: new Date(deps.now()) })
        .where('room_user_id', '=', id)
        .execute()
      await audit(deps, tx, by, {
        action: isApproved ? 'user_phone_approved' : 'user_phone_refused',
        target: id,
        before: { device_model: before },
        after: { device_model: device.device_model },
      })
      if (!isApproved) return { ended: [], entry: null, number: change_number }
      const bound = await rebind(tx, id, device, new Date(deps.now()))
      await requestPasscodeChange(deps, tx, host_id)
      await voidSignInLinks(tx, [id])
      const sessions = await deps.sessions.endRows(tx, { room_user_ids: [id] }, 'phone_changed')
      return { ended: sessions, entry: bound, number: change_number }
    })
    await deps.rooms.get(host_id)
    const signOut: RoomChange = { type: 'sign-out', ids: [id], reason: 'phone_changed', at: deps.now() }
    await deps.rooms.commit(host_id, number, entry ? [{ type: 'upsert', entry }, signOut, CHANGED] : [CHANGED])
    deps.sessions.forget(ended, 'phone_changed')
  })
}

/** Binds without a secret, which the phone gets when it signs in. */
async function rebind(
  tx: Tx,
  id: string,
  device: { device_id: string; device_model: string | null; platform: string },
  now: Date,
) {
  return tx
    .updateTable('room_users')
    .set({ ...device, device_secret_hash: null, device_secret_required: false, device_bound_at: now })
    .set({ phone_changed: true, app_version: null, updated_at: now })
    .where('id', '=', id)
    .returning(ROSTER_COLUMNS)
    .executeTakeFirstOrThrow()
}
