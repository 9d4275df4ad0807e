import type { z } from 'zod'
import { DAY_MS, MINUTE_MS } from '../../../shared/dates.ts'
import { hostUserId } from '../../../shared/host-ids.ts'
import type { FindLinkOwner, LinkLogin, LinkOwner, SignInLink } from '../../../shared/sign-in-links.ts'
import type { Caller, HostActor } from '../../db/actor.ts'
import { audit } from '../../db/audit-log.ts'
import type { Db, Tx } from '../../db/client.ts'
import { lockHostShared } from '../../db/lock-host.ts'
import type { Deps } from '../../deps.ts'
import { AppError, notFound } from '../../errors.ts'
import { addressGroup } from '../../lib/address-group.ts'
import { randomToken, sha256 } from '../../lib/secrets.ts'
import { siteOrigins } from '../../lib/sites.ts'
import type { TokenBuckets } from '../../lib/token-bucket.ts'
import type { Device } from './device-binding.ts'
import { auditFailure, completeSignIn, findHostByHostId, phoneAccount, type SignedInPhone } from './phone-login.ts'

const VALID_MS = DAY_MS
/** A phone may repeat the call this long if its answer was lost. */
const REPEAT_MS = 15 * MINUTE_MS

/** Replaces the user's earlier link. The token is in the fragment of the URL, which browsers send to no server. */
export async function makeSignInLink(deps: Deps, by: HostActor, id: string): Promise<SignInLink> {
  const token = randomToken()
  const expires_at = new Date(deps.now() + VALID_MS)
  const numericalId = await deps.db.transaction().execute(async (tx) => {
    const current = await lockHostShared(tx, by.host_id)
    if (!current || current.deleted_at) throw notFound('User')
    const user = await tx
      .selectFrom('room_users')
      .innerJoin('rooms', 'rooms.id', 'room_users.room_id')
      .select('room_users.is_active')
      .where('room_users.id', '=', id)
      .where('rooms.host_id', '=', by.host_id)
      .forUpdate('room_users')
      .executeTakeFirst()
    if (!user) throw notFound('User')
    if (!user.is_active) throw new AppError('user_inactive', 'This user is not active. Please activate the user first.')
    const link = { token_hash: sha256(token), expires_at }
    await tx
      .insertInto('sign_in_links')
      .values({ room_user_id: id, ...link })
      .onConflict((conflict) => conflict.column('room_user_id').doUpdateSet(link))
      .execute()
    await audit(deps, tx, by, { action: 'sign_in_link_made', target: id, after: { expires_at } })
    return current.numerical_id
  })
  const url = `${siteOrigins(deps.config).phone}/?host=${hostUserId(numericalId)}#link=${token}`
  return { url, expires_at: expires_at.toISOString() }
}

/** Uses the link up if nothing else refuses the phone. A phone whose answer was lost may repeat the call. */
export async function loginPhoneByLink(
  deps: Deps,
  by: Caller,
  login: z.output<typeof LinkLogin>,
  refusals: TokenBuckets,
): Promise<SignedInPhone> {
  const token_hash = sha256(login.link_token)
  const { host, user, isRight } = await deps.loginThrottle.guessToken(by.ip, () => findLink(deps, login, login))
  if (!isRight || !host || !user) {
    await auditFailure(deps, by, { host_id: host?.id ?? null, target: null, mark: { link: true } })
    throw linkInvalid()
  }
  const account = phoneAccount(login.host_id, user.username)
  let used: { used_at: Date } | undefined
  const proof = {
    account,
    mark: { link: true as const },
    sign_in_link_hash: token_hash,
    // Unlike a right password, a link that is refused or used again has no other limit.
    begin: () => void ('used_at' in user ? refusals.take(account) : refusals.require(account)),
    async holds(tx: Tx) {
      if (await spendLink(deps, tx, user.id, token_hash)) return true
      used = await findUsedLink(deps, tx, host.id, token_hash, login)
      return used !== undefined
    },
    refusal: linkInvalid,
    repeats: () => used?.used_at, // so that another repetition does not extend the time for it
  }
  const owner = { host_id: host.id, room_user_id: user.id }
  return completeSignIn(deps, by, { owner, proof, device: login, refusals })
}

/** Leaves the link usable. A wrong link counts as an attempt. */
export async function findLinkOwner(
  deps: Deps,
  by: Caller,
  link: z.output<typeof FindLinkOwner>,
  views: TokenBuckets,
): Promise<LinkOwner> {
  const { user } = await deps.loginThrottle.guessToken(by.ip, () => findLink(deps, link))
  if (!user) throw linkInvalid()
  const { id, username, room_name } = user
  views.take(`${addressGroup(by.ip)} ${id}`)
  return { username, room_name }
}

async function findLink(deps: Deps, { host_id, link_token }: z.output<typeof FindLinkOwner>, device?: Device) {
  const host = await findHostByHostId(deps, host_id)
  const token_hash = sha256(link_token)
  const open =
    host &&
    (await deps.db
      .selectFrom('sign_in_links')
      .innerJoin('room_users', 'room_users.id', 'sign_in_links.room_user_id')
      .innerJoin('rooms', 'rooms.id', 'room_users.room_id')
      .select(['room_users.id', 'room_users.username', 'rooms.name as room_name'])
      .where('token_hash', '=', token_hash)
      .where('room_id', '=', host.room_id)
      .where('expires_at', '>', new Date(deps.now()))
      .executeTakeFirst())
  const user = open ?? (host && (await findUsedLink(deps, deps.db, host.id, token_hash, device)))
  return { host, user, isRight: user !== undefined }
}

/**
 * Finds the user of a link that this phone has used up a moment ago, if the answer seems lost: the phone has not used its
 * session. One that had a device secret before has to prove itself by that, which is checked at the sign-in.
 */
async function findUsedLink({ now }: Deps, db: Db | Tx, host_id: string, sign_in_link_hash: string, device?: Device) {
  const used = await db
    .selectFrom('sessions')
    .innerJoin('room_users', 'room_users.id', 'sessions.room_user_id')
    .innerJoin('rooms', 'rooms.id', 'room_users.room_id')
    .select(['room_users.id', 'room_users.username', 'rooms.name as room_name'])
    .select(['device_id', 'device_secret_required', 'device_secret_issued', 'sessions.created_at as used_at'])
    .where('sessions.host_id', '=', host_id)
    .where('ended_at', 'is', null)
    .where('sign_in_link_hash', '=', sign_in_link_hash)
    .where('sessions.created_at', '>', new Date(now() - REPEAT_MS))
    .executeTakeFirst()
  if (!used) return undefined
  const isUnused = used.device_secret_issued && !used.device_secret_required
  if (!device) return isUnused ? used : undefined
  const hadSecret = !used.device_secret_issued && used.device_secret_required
  return device.device_id === used.device_id && (isUnused || hadSecret) ? used : undefined
}

/** Call in the sign-in's transaction, whose rollback restores the link. Of many phones at once, one deletes the row. */
async function spendLink({ now }: Deps, tx: Tx, room_user_id: string, token_hash: string): Promise<boolean> {
  const spent = await tx
    .deleteFrom('sign_in_links')
    .where('room_user_id', '=', room_user_id)
    .where('token_hash', '=', token_hash)
    .where('expires_at', '>', new Date(now()))
    .returning('room_user_id')
    .executeTakeFirst()
  return spent !== undefined
}

function linkInvalid(): AppError {
  return new AppError('link_invalid', 'This link has been used or has run out. Please ask your host for a new one.')
}
