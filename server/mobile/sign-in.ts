import type { z } from 'zod'
import type { MobileLogin } from '../../shared/mobile.ts'
import { comparable } from '../../shared/normalise.ts'
import { type SubscriptionDates, statusAt } from '../../shared/subscription-dates.ts'
import { audit } from '../audit/audit.ts'
import type { LoginThrottle } from '../auth/login-throttle.ts'
import { isPassword } from '../auth/passwords.ts'
import type { Tx } from '../db.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import { hostUserId } from '../hosts/hosts.ts'
import { ROSTER_COLUMNS } from '../room-events/live-rooms.ts'

type Login = z.output<typeof MobileLogin>

export interface PhoneOwner {
  host_id: string
  room_user_id: string | null // null: the host's own phone
}

/** Signs a phone in. Why it is refused is told only after the right password. */
export async function signInPhone(
  deps: Deps,
  throttle: LoginThrottle,
  login: Login,
  ip: string,
): Promise<PhoneOwner & { token: string }> {
  const account = `phone ${comparable(login.host_id)} ${comparable(login.username)}`
  const { host, isHost, user, isRight } = await throttle.guess(account, ip, () => lookUp(deps, login), login.device_id)
  if (!isRight || !host) {
    const target = user?.id ?? (isHost ? host?.id : null) ?? null
    const failed = { action: 'phone_login_failed' as const, host_id: host?.id ?? null, target, ip }
    await audit(deps, deps.db, { actor_role: 'nobody', ...failed })
    throw new AppError('wrong_credentials', 'Invalid host ID, username or password')
  }

  const owner = { host_id: host.id, room_user_id: user?.id ?? null }
  try {
    requireSubscription(host, new Date(deps.now()))
    return await deps.rooms.exclusively(host.id, () => bindAndOpen(deps, owner, login, ip))
  } catch (error) {
    if (error instanceof AppError) await auditRefusal(deps, owner, login, error.code, ip)
    throw error
  }
}

/** Who signs in: the host itself by its user_id, or one of its people; and whether the password is right. */
async function lookUp(deps: Deps, { host_id, username, password }: Login) {
  const host = await findHostOf(deps, host_id)
  const isHost = host !== undefined && comparable(username) === comparable(hostUserId(host.numerical_id))
  const user = host && !isHost ? await findUser(deps, host.room_id, username) : undefined
  const hashed = isHost ? host.app_password_hash : (user?.password_hash ?? null)
  return { host, isHost, user, isRight: await isPassword(password, hashed) }
}

function requireSubscription(host: SubscriptionDates, now: Date): void {
  const status = statusAt(host, now)
  if (status === 'cancelled')
    throw new AppError('subscription_cancelled', 'The subscription of this room was cancelled.')
  if (status !== 'active') throw new AppError('subscription_inactive', 'The subscription of this room is not active.')
}

/** A refusal has rolled back what went before it, so it is written down by itself. */
async function auditRefusal(deps: Deps, owner: PhoneOwner, login: Login, code: string, ip: string): Promise<void> {
  const { host_id } = owner
  const who = owner.room_user_id ?? host_id
  const { device_id, device_model = null } = login
  const refused = {
    action: 'phone_login_refused' as const,
    host_id,
    target: who,
    after: { code, device_id, device_model },
  }
  await audit(deps, deps.db, { actor_role: 'phone', actor_id: who, ip, ...refused })
}

/** The binding and the new session stand or fall together, so that of many phones at once exactly one is bound. */
async function bindAndOpen(deps: Deps, owner: PhoneOwner, login: Login, ip: string) {
  const { host_id, room_user_id } = owner
  const { token, ended, entry } = await deps.db.transaction().execute(async (tx) => {
    const bound = room_user_id
      ? await bindUser(deps, tx, room_user_id, login)
      : await bindHost(deps, tx, host_id, login, ip)
    const older = room_user_id ? { room_user_ids: [room_user_id] } : { host_phone_of: host_id }
    const sessions = await deps.sessions.endRows(tx, older, 'signed_in_again')
    const opened = await deps.sessions.open(tx, { role: 'phone', master_id: null, host_id, room_user_id }, ip)
    await audit(deps, tx, {
      actor_role: 'phone',
      actor_id: room_user_id ?? host_id,
      host_id,
      action: 'phone_login',
      target: room_user_id ?? host_id,
      ip,
    })
    return { token: opened, ended: sessions, entry: bound }
  })
  deps.sessions.dropped(ended, 'signed_in_again')
  const room = await deps.rooms.of(host_id)
  if (entry) await room.put(entry)
  return { ...owner, token }
}

async function bindUser(deps: Deps, tx: Tx, id: string, login: Login) {
  const user = await tx.selectFrom('room_users').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  if (!user) throw new AppError('wrong_credentials', 'Invalid host ID, username or password')
  if (!user.is_active) throw new AppError('user_inactive', 'Your account is not active. Please contact your host.')
  await requireActiveRoom(tx, user.room_id)
  if (user.device_id !== null && user.device_id !== login.device_id) throw anotherPhone()
  return tx
    .updateTable('room_users')
    .set({ ...phoneColumns(login), phone_changed: false, login_time: new Date(deps.now()) })
    .where('id', '=', id)
    .returning(ROSTER_COLUMNS)
    .executeTakeFirstOrThrow()
}

async function bindHost(_deps: Deps, tx: Tx, id: string, login: Login, ip: string): Promise<null> {
  const host = await tx.selectFrom('hosts').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow()
  if (!host.is_active) throw new AppError('room_stopped', 'This room is stopped.')
  if (host.device_id !== null && host.device_id !== login.device_id) throw anotherPhone()
  await tx
    .updateTable('hosts')
    .set({ ...phoneColumns(login), ip_address: ip })
    .where('id', '=', id)
    .execute()
  return null
}

async function requireActiveRoom(tx: Tx, roomId: string): Promise<void> {
  const host = await tx
    .selectFrom('rooms')
    .innerJoin('hosts', 'hosts.id', 'rooms.host_id')
    .select('hosts.is_active')
    .where('rooms.id', '=', roomId)
    .executeTakeFirstOrThrow()
  if (!host.is_active) throw new AppError('room_stopped', 'This room is stopped. Please contact your host.')
}

function phoneColumns(login: Login) {
  return {
    device_id: login.device_id,
    device_model: login.device_model ?? null,
    platform: login.platform,
    app_version: login.app_version ?? null,
  }
}

function anotherPhone(): AppError {
  return new AppError('device_mismatch', 'This account is linked to another phone. Ask your host to switch it.')
}

async function findHostOf({ db }: Deps, hostId: string) {
  const digits = /^h(\d{1,9})$/.exec(comparable(hostId))?.[1]
  if (digits === undefined) return undefined
  return db
    .selectFrom('hosts')
    .innerJoin('rooms', 'rooms.host_id', 'hosts.id')
    .leftJoin('app_info', 'app_info.host_id', 'hosts.id')
    .selectAll('hosts')
    .select(['rooms.id as room_id', 'app_info.password_hash as app_password_hash'])
    .where('numerical_id', '=', Number(digits))
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

async function findUser({ db }: Deps, roomId: string, username: string) {
  return db
    .selectFrom('room_users')
    .select(['id', 'password_hash'])
    .where('room_id', '=', roomId)
    .where('username_key', '=', comparable(username))
    .executeTakeFirst()
}
