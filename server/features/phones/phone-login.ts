import type { z } from 'zod'
import { hostUserId, numericalIdOf } from '../../../shared/host-ids.ts'
import type { MobileLogin } from '../../../shared/mobile.ts'
import { normaliseForComparison } from '../../../shared/normalise.ts'
import type { Caller } from '../../db/actor.ts'
import { audit } from '../../db/audit-log.ts'
import type { Tx } from '../../db/client.ts'
import { lockHost, lockHostShared } from '../../db/lock-host.ts'
import { nextChangeNumber } from '../../db/next-change-number.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import type { TokenBuckets } from '../../lib/token-bucket.ts'
import type { QueuePlace } from '../auth/passwords.ts'
import { isUserPassword } from '../auth/user-password.ts'
import { ROSTER_COLUMNS } from '../live-room/state/roster.ts'
import { requireSubscription } from '../subscriptions/require-subscription.ts'
import { bindDevice, type Device } from './device-binding.ts'

type Login = z.output<typeof MobileLogin>
type LockedHost = NonNullable<Awaited<ReturnType<typeof lockHost>>>

export interface PhoneOwner {
  host_id: string
  room_user_id: string | null // null: the host's own phone
}

/** A phone that has proven its account, before it has a session. */
type PhoneCaller = Caller & { id: string; host_id: string }

export interface SignedInPhone extends PhoneOwner {
  token: string
  device_secret: string | null // null if the present one stays valid
}

/** Marks the audit entries of links. */
interface LinkMark {
  link: true
}

/** A phone's proof of identity: the right password, or a link. */
interface Proof {
  /** Attempts are counted for this account. */
  account: string
  mark?: LinkMark
  /** Identifies the link, so that the phone may repeat the call if the answer is lost. */
  sign_in_link_hash?: string
  /** Runs when the call's turn has come, before the work; an error that it throws saves the work. */
  begin?(): void
  /** Checks the proof again, because the rows may have changed before they were locked. */
  holds(tx: Tx, stored: string | null): boolean | Promise<boolean>
  refusal(): AppError
  /** Returns the time of the sign-in that this one repeats, once `holds` has found it. */
  repeats?(): Date | undefined
}

/** The limit per account of sign-ins that are refused in spite of the right password. Each one is audited. */
export const REFUSED_LOGIN_LIMIT = {
  name: 'refused phones',
  burst: 20,
  perSecond: 10 / 60,
  message: 'Too many attempts. Please wait a moment and try again.',
}

/** Gives the reason for a refusal only after the right password. */
export async function loginPhone(deps: Deps, by: Caller, login: Login, refusals: TokenBuckets): Promise<SignedInPhone> {
  const { account, host, user } = await verifyPassword(deps, by, login)
  const owner = { host_id: host.id, room_user_id: user?.id ?? null }
  const proof = passwordProof(account, user ? user.password_ciphertext : host.app_password_hash)
  return completeSignIn(deps, by, { owner, proof, device: login, refusals })
}

interface SignIn {
  owner: PhoneOwner
  proof: Proof
  device: Device
}

/** Completes the sign-in of a phone that has proven its account. */
export async function completeSignIn(
  deps: Deps,
  by: Caller,
  { refusals, ...signIn }: SignIn & { refusals: TokenBuckets },
): Promise<SignedInPhone> {
  const { owner, proof, device } = signIn
  const phone = { ...by, role: 'phone' as const, id: owner.room_user_id ?? owner.host_id, host_id: owner.host_id }
  try {
    const signedIn = await deps.rooms.withRoomLock(owner.host_id, () => {
      proof.begin?.()
      return bindAndOpen(deps, phone, signIn)
    })
    await deps.loginThrottle.remember(proof.account, by.ip, deviceKey(device))
    if (signedIn.device_secret) await deps.loginThrottle.remember(proof.account, by.ip, signedIn.device_secret)
    return signedIn
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    refusals.take(proof.account)
    await auditRefusal(deps, phone, signIn, error.code)
    throw error
  }
}

/** `verified` is the stored value that was checked; for a user the ciphertext, which each new password changes. */
export function passwordProof(account: string, verified: string | null): Proof {
  return { account, holds: (_tx, stored) => stored === verified, refusal: wrongCredentials }
}

/** Returns one key per account, however the Host ID is typed. */
export function phoneAccount(hostId: string, username: string): string {
  const numericalId = numericalIdOf(hostId)
  const host = numericalId === null ? hostId : hostUserId(numericalId)
  return `phone ${normaliseForComparison(host)} ${normaliseForComparison(username)}`
}

/** Returns the account if the password is right, else throws. `user` is undefined for the host's own phone. */
export async function verifyPassword(deps: Deps, by: Caller, login: Login) {
  const account = phoneAccount(login.host_id, login.username)
  const { host, isHost, user, isRight } = await deps.loginThrottle.guess(
    account,
    by.ip,
    (turn) => findAccount(deps, login, turn),
    deviceKey(login),
  )
  if (isRight && host) return { account, host, user }
  const target = user?.id ?? (isHost ? host?.id : null) ?? null
  await auditFailure(deps, by, { host_id: host?.id ?? null, target })
  throw wrongCredentials()
}

export async function auditFailure(
  deps: Deps,
  by: Caller,
  { mark, ...failed }: { host_id: string | null; target: string | null; mark?: LinkMark },
): Promise<void> {
  await deps.refusedCalls.audit(by, { action: 'phone_login_failed', ...failed, after: mark })
}

/** Returns the phone's secret if it keeps one; its id is no secret, because lists show it. */
function deviceKey({ device_id, device_secret }: Device): string | undefined {
  return device_secret === undefined ? device_id : (device_secret ?? undefined)
}

/** Finds the account; a host signs in with its own user_id as username. */
async function findAccount(deps: Deps, { host_id, username, password }: Login, turn: QueuePlace) {
  const host = await findHostByHostId(deps, host_id)
  const isHost =
    host !== undefined && normaliseForComparison(username) === normaliseForComparison(hostUserId(host.numerical_id))
  const user = host && !isHost ? await findUser(deps, host.room_id, username) : undefined
  const isRight = isHost
    ? await deps.passwords.isRight(password, host.app_password_hash, turn)
    : await isUserPassword(deps, user, password, turn)
  return { host, isHost, user, isRight }
}

/** Uses a transaction of its own, because the refusal has rolled back that of the sign-in. */
async function auditRefusal(deps: Deps, by: PhoneCaller, { proof, device }: SignIn, code: string): Promise<void> {
  const { device_id, device_model = null } = device
  const after = { code, device_id, device_model, ...proof.mark }
  await deps.refusedCalls.audit(by, { action: 'phone_login_refused', target: by.id, after })
}

/** Binds and opens the session in one transaction, so that of many phones at once exactly one is bound. */
async function bindAndOpen(deps: Deps, by: PhoneCaller, { owner, proof, device }: SignIn): Promise<SignedInPhone> {
  const { host_id, room_user_id } = owner
  const { token, ended, entry, number, device_secret } = await deps.db.transaction().execute(async (tx) => {
    // The rows may have changed while the password was hashed. They are locked from here on.
    const host = await (room_user_id ? lockHostShared(tx, host_id) : lockHost(tx, host_id))
    if (!host || host.deleted_at) throw proof.refusal()
    requireSubscription(host, new Date(deps.now()))
    const { change_number } = await nextChangeNumber(tx, host_id)
    const bound = room_user_id
      ? await bindUser(deps, tx, { id: room_user_id, host, proof, device })
      : await bindHost(tx, { host, proof, device, ip: by.ip })
    const older = room_user_id ? { room_user_ids: [room_user_id] } : { host_phone_of: host_id }
    const sessions = await deps.sessions.endRows(tx, older, 'signed_in_elsewhere')
    const device_secret_issued = bound.secret !== null && device.device_secret !== undefined
    const { sign_in_link_hash } = proof
    const who = {
      role: 'phone' as const,
      master_id: null,
      host_id,
      room_user_id,
      device_secret_issued,
      sign_in_link_hash,
    }
    const opened = await deps.sessions.open(tx, who, by.ip, proof.repeats?.()?.getTime())
    await audit(deps, tx, by, { action: 'phone_login', target: by.id, after: proof.mark })
    return { token: opened, ended: sessions, entry: bound.entry, number: change_number, device_secret: bound.secret }
  })
  deps.sessions.forget(ended, 'signed_in_elsewhere')
  await deps.rooms.get(host_id)
  await deps.rooms.commit(host_id, number, entry ? [{ type: 'upsert', entry }] : [])
  return { ...owner, token, device_secret }
}

async function bindUser(
  deps: Deps,
  tx: Tx,
  { id, host, proof, device }: { id: string; host: { is_active: boolean }; proof: Proof; device: Device },
) {
  const user = await lockUser(tx, id, host, proof)
  const { columns, secret } = bindDevice(user, device)
  const now = new Date(deps.now())
  const entry = await tx
    .updateTable('room_users')
    .set({ ...columns, phone_changed: false, login_time: now })
    .$if(user.device_id === null, (update) => update.set({ device_bound_at: now }))
    .where('id', '=', id)
    .returning(ROSTER_COLUMNS)
    .executeTakeFirstOrThrow()
  return { entry, secret }
}

/** Throws if the user may not sign in. */
export async function lockUser(tx: Tx, id: string, host: { is_active: boolean }, proof: Proof) {
  const user = await tx.selectFrom('room_users').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  if (!user || !(await proof.holds(tx, user.password_ciphertext))) throw proof.refusal()
  if (!user.is_active) throw new AppError('user_inactive', 'Your account is not active. Please contact your host.')
  if (!host.is_active) throw new AppError('room_stopped', 'This room is stopped. Please contact your host.')
  return user
}

async function bindHost(
  tx: Tx,
  { host, proof, device, ip }: { host: LockedHost; proof: Proof; device: Device; ip: string },
) {
  const info = await tx
    .selectFrom('app_info')
    .select('password_hash')
    .where('host_id', '=', host.id)
    .executeTakeFirstOrThrow()
  if (!(await proof.holds(tx, info.password_hash))) throw proof.refusal()
  if (!host.is_active) throw new AppError('room_stopped', 'This room is stopped.')
  const { columns, secret } = bindDevice(host, device)
  await tx
    .updateTable('hosts')
    .set({ ...columns, ip_address: ip })
    .where('id', '=', host.id)
    .execute()
  return { entry: null, secret }
}

export function wrongCredentials(): AppError {
  return new AppError('wrong_credentials', 'Invalid host ID, username or password')
}

export async function findHostByHostId({ db }: Deps, hostId: string) {
  const numericalId = numericalIdOf(hostId)
  if (numericalId === null) return undefined
  return db
    .selectFrom('hosts')
    .innerJoin('rooms', 'rooms.host_id', 'hosts.id')
    .leftJoin('app_info', 'app_info.host_id', 'hosts.id')
    .selectAll('hosts')
    .select(['rooms.id as room_id', 'app_info.password_hash as app_password_hash'])
    .where('numerical_id', '=', numericalId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

async function findUser({ db }: Deps, roomId: string, username: string) {
  return db
    .selectFrom('room_users')
    .select(['id', 'password_hash', 'password_ciphertext'])
    .where('room_id', '=', roomId)
    .where('username_key', '=', normaliseForComparison(username))
    .executeTakeFirst()
}
