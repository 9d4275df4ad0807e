import type { z } from 'zod'
import { endOfDay } from '../../../shared/dates.ts'
import type { EditHost, Host } from '../../../shared/hosts.ts'
import { normaliseForComparison } from '../../../shared/normalise.ts'
import { isNameAsPassword, NAME_IS_PASSWORD, PASSWORD_IS_NAME } from '../../../shared/password-rule.ts'
import { cancelDates, type SubscriptionDates, setEndDate } from '../../../shared/subscription-dates.ts'
import { type Actor, type MasterActor, regardlessOfSession } from '../../db/actor.ts'
import { audit } from '../../db/audit-log.ts'
import type { Tx } from '../../db/client.ts'
import { diffFields } from '../../db/diff-fields.ts'
import { lockHost } from '../../db/lock-host.ts'
import { nextUpdatedAt } from '../../db/next-updated-at.ts'
import type { Deps } from '../../deps.ts'
import { AppError, invalidField, notFound } from '../../errors.ts'
import { voidAccountLinks } from '../auth/account-links.ts'
import { refuseCommonPassword } from '../auth/common-passwords.ts'
import { signOutSessions } from '../auth/log-out.ts'
import type { Session } from '../auth/session-rows.ts'
import { mailSecurityChange } from '../mail/mail-security-change.ts'
import { voidSignInLinksOfHost } from '../phones/void-pending-sign-ins.ts'
import { connectRoom } from '../rooms/room-meeting.ts'
import { changeSubscription } from '../subscriptions/change-subscription.ts'
import { claimOAuthResult } from '../zoom-accounts/oauth-results.ts'
import { disconnectHost, linkHost, revokeGrant } from '../zoom-accounts/zoom-links.ts'
import { findHost } from './hosts.ts'
import { HOST_NAMES, nameTaken, requireFreeNames } from './name-taken.ts'

type Edit = z.output<typeof EditHost>

/** `isRenamed` tells that the host, and its assistants with it, sign in under another name. */
export async function editHost(
  deps: Deps,
  by: MasterActor,
  id: string,
  edit: Edit,
): Promise<{ host: Host; isRenamed: boolean }> {
  const before = await findHost(deps, id)
  if (isNameAsPassword(edit.username ?? before.username, edit.password))
    throw invalidField('password', PASSWORD_IS_NAME)
  if (edit.password) await refuseCommonPassword(edit.password)
  await requireNameIsNoPassword(deps, before, edit)
  await requireFreeNames(deps.db, edit, id)
  const password_hash = edit.password ? await deps.passwords.hashNew(edit.password, by.id) : undefined

  const { ended, isLinked, replaced } = await deps.db
    .transaction()
    .execute(async (tx) => {
      await requireUnchanged(tx, id, edit.expect?.updated_at)
      const email = edit.zoom_user_email ?? edit.email ?? before.email
      const account = edit.oauth_result_id
        ? await claimOAuthResult(deps, tx, { master_id: by.id, result_id: edit.oauth_result_id, email })
        : null
      await requireFreeNames(tx, edit, id)
      await updateHostRow(deps, tx, id, edit, password_hash)
      if (edit.room_name)
        await tx.updateTable('rooms').set({ name: edit.room_name }).where('host_id', '=', id).execute()
      const replaced = account ? await linkHost(deps, tx, id, account, by) : null
      const cancelled = await editSubscription(deps, tx, by, before, edit)
      if (password_hash) {
        await voidAccountLinks(tx, { host_id: id })
        await voidSignInLinksOfHost(tx, id)
      }
      const signedOut = password_hash
        ? await deps.sessions.endRows(tx, { host_id: id, role: 'host' }, 'password_changed')
        : []
      await auditEdit(deps, tx, by, before, edit)
      if (password_hash) await mailSecurityChange(deps, tx, { role: 'host', id }, { change: 'password_set', ip: null })
      return { ended: { cancelled, signedOut }, isLinked: account !== null, replaced }
    })
    .catch((error: unknown) => {
      throw nameTaken(error, HOST_NAMES)
    })

  deps.sessions.forget(ended.signedOut, 'password_changed')
  await signOutSessions(deps, id, ended.cancelled, 'cancelled')
  const isDisconnecting = edit.zoom_user_email === '' && before.zoom_status !== 'not_connected'
  if (replaced) await revokeGrant(deps, replaced)
  if (!isLinked && isDisconnecting) await disconnectHost(deps, id, regardlessOfSession(by))
  else if (isLinked || (before.zoom_connected && isRoomChanged(before, edit))) await connectRoom(deps, id)
  const host = await findHost(deps, id)
  return { host, isRenamed: normaliseForComparison(host.username) !== normaliseForComparison(before.username) }
}

/** A new username must not equal the current password. */
async function requireNameIsNoPassword(deps: Deps, before: Host, { username, password }: Edit): Promise<void> {
  if (password || username === undefined || username === before.username) return
  const { password_hash } = await deps.db
    .selectFrom('hosts')
    .select('password_hash')
    .where('id', '=', before.id)
    .executeTakeFirstOrThrow()
  const turn = { isKnownDevice: true, networks: ['masters'] }
  if (await deps.passwords.isRight(username, password_hash, turn)) throw invalidField('username', NAME_IS_PASSWORD)
}

/** If two masters edit the same host, only the first one can save. */
async function requireUnchanged(tx: Tx, id: string, seen: string | undefined): Promise<void> {
  const host = await lockHost(tx, id)
  if (host && seen !== undefined && host.updated_at.getTime() !== Date.parse(seen))
    throw new AppError('state_changed', 'Someone else has changed this host in the meantime. Nothing was saved.')
}

/** Omits changes of the subscription and of the Zoom link, which have audit rows of their own. */
async function auditEdit(deps: Deps, tx: Tx, by: Actor, before: Host, edit: Edit): Promise<void> {
  const { username, email, mobile, storage_limit_gb, recording_enabled, room_name, password } = edit
  const after = {
    ...{ username, email, storage_limit_gb, recording_enabled },
    mobile: mobile === undefined ? undefined : mobile || null,
    room_name: room_name || undefined,
    password: password ? true : undefined,
  }
  const { id } = before
  await audit(deps, tx, by, { host_id: id, action: 'host_edited', target: id, ...diffFields({ ...before }, after) })
}

function isRoomChanged(before: Host, edit: Edit): boolean {
  const isRenamed = Boolean(edit.room_name) && edit.room_name !== before.room_name
  return isRenamed || (edit.recording_enabled !== undefined && edit.recording_enabled !== before.recording_enabled)
}

async function updateHostRow(deps: Deps, tx: Tx, id: string, edit: Edit, password_hash?: string): Promise<void> {
  const row = await tx
    .updateTable('hosts')
    .set({
      ...(edit.username !== undefined && {
        username: edit.username,
        username_key: normaliseForComparison(edit.username),
      }),
      ...(edit.email !== undefined && { email: edit.email, email_key: normaliseForComparison(edit.email) }),
      ...(edit.mobile !== undefined && { mobile: edit.mobile || null }),
      ...(edit.storage_limit_gb !== undefined && { storage_limit_gb: edit.storage_limit_gb }),
      ...(edit.recording_enabled !== undefined && { recording_enabled: edit.recording_enabled }),
      ...(password_hash && { password_hash }),
      updated_at: nextUpdatedAt(new Date(deps.now())),
    })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (!row) throw notFound('Host')
}

const CHANGES = { extend: 'extended', reduce: 'reduced', set_date: 'date_set', cancel: 'cancelled' } as const

/** Applies only values that differ from the stored ones, because the form sends all dates and the status. */
async function editSubscription(deps: Deps, tx: Tx, by: MasterActor, before: Host, edit: Edit): Promise<Session[]> {
  const isCancelling = edit.subscription_status === 'cancelled'
  if (isCancelling) {
    if (before.subscription_status === 'cancelled') return []
    return changeSubscription(deps, tx, by, { host_id: before.id, action: 'cancelled', change: cancelDates })
  }
  const end = edit.subscription_end_date ? endOf(edit.subscription_end_date) : null
  const start = edit.subscription_start_date ? new Date(edit.subscription_start_date) : null
  if (start && end && start > end)
    throw invalidField('subscription_end_date', 'The end date must not be before the start')
  const isEndKept = !end || end.toISOString() === before.subscription_end_date
  const isStartKept = !start || start.toISOString() === before.subscription_start_date
  const isKept =
    isEndKept && isStartKept && !(before.subscription_status === 'cancelled' && edit.subscription_status === 'active')
  if (isKept) return []

  const action = edit.subscription_action ? CHANGES[edit.subscription_action] : 'edited'
  const months = edit.subscription_months ?? null
  const change = (dates: SubscriptionDates, now: Date) => ({
    ...setEndDate(dates, end ?? dates.subscription_end_date ?? now, now),
    ...(start && { subscription_start_date: start }),
    ...(action === 'extended' && months && { subscription_type: months }),
  })
  return changeSubscription(deps, tx, by, { host_id: before.id, action, change, months })
}

/** Reads a date without a time as the end of that day in UTC: a subscription includes its last day. */
function endOf(dayOrTime: string): Date {
  return /^\d{4}-\d{2}-\d{2}$/.test(dayOrTime) ? endOfDay(dayOrTime) : new Date(dayOrTime)
}
