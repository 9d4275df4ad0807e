import type { z } from 'zod'
import type { AppInfo, EditAppInfo } from '../../../shared/app-info.ts'
import { hostUserId } from '../../../shared/host-ids.ts'
import { isNameAsPassword, PASSWORD_IS_NAME } from '../../../shared/password-rule.ts'
import type { HostActor } from '../../db/actor.ts'
import { audit } from '../../db/audit-log.ts'
import { diffFields } from '../../db/diff-fields.ts'
import { lockHost } from '../../db/lock-host.ts'
import type { Deps } from '../../deps.ts'
import { AppError, invalidField } from '../../errors.ts'
import { refuseCommonPassword } from '../auth/common-passwords.ts'
import { canUseLogo, removeUnusedLogo } from './logo/logo-files.ts'

export async function findAppInfo({ db }: Deps, { host_id }: HostActor): Promise<AppInfo> {
  const row = await db
    .selectFrom('hosts')
    .innerJoin('app_info', 'app_info.host_id', 'hosts.id')
    .selectAll('app_info')
    .select('hosts.numerical_id')
    .where('hosts.id', '=', host_id)
    .executeTakeFirst()
  if (!row) throw new AppError('not_found', 'App info not found')
  const { user_title, helpline, message, allow_recording, has_public_card, logo_url } = row
  return {
    user_id: hostUserId(row.numerical_id),
    password: null,
    has_password: row.password_hash !== null,
    user_title,
    helpline,
    message,
    allow_recording,
    has_public_card,
    logo_url,
  }
}

const FIELDS = ['user_title', 'helpline', 'message', 'allow_recording', 'has_public_card', 'logo_url'] as const

/** Refuses to overwrite another console's newer edit. A field that already holds the requested value is fine. */
function requireSeen(before: Pick<AppInfo, (typeof FIELDS)[number]>, edit: z.output<typeof EditAppInfo>): void {
  const { expect: seen = {} } = edit
  const isOvertaken = FIELDS.some((field) => {
    const isWanted = edit[field] === undefined || (edit[field] || null) === (before[field] || null)
    return seen[field] !== undefined && !isWanted && seen[field] !== before[field]
  })
  if (isOvertaken)
    throw new AppError('state_changed', 'Someone else has changed this in the meantime. Nothing was saved.')
}

/** A new password also signs the host's own phone out. */
export async function editAppInfo(deps: Deps, by: HostActor, edit: z.output<typeof EditAppInfo>): Promise<AppInfo> {
  const { host_id } = by
  if (isNameAsPassword((await findAppInfo(deps, by)).user_id, edit.password))
    throw invalidField('password', PASSWORD_IS_NAME)
  if (edit.password) await refuseCommonPassword(edit.password)
  const password_hash = edit.password ? await deps.passwords.hashNew(edit.password, by.id) : null
  const replaced = await deps.rooms.withRoomLock(host_id, async () => {
    const { ended, replaced } = await deps.db.transaction().execute(async (tx) => {
      await lockHost(tx, host_id)
      const before = await tx.selectFrom('app_info').selectAll().where('host_id', '=', host_id).executeTakeFirst()
      if (before) requireSeen(before, edit)
      const { logo_url } = edit
      const isNewLogo = logo_url && logo_url !== before?.logo_url
      if (isNewLogo && !(await canUseLogo({ ...deps, db: tx }, host_id, logo_url)))
        throw invalidField('logo_url', 'You have no such logo here. Enter an https address')
      const after = await tx
        .updateTable('app_info')
        .set({
          host_id, // keeps an empty edit a valid statement
          ...(edit.user_title !== undefined && { user_title: edit.user_title || null }),
          ...(edit.helpline !== undefined && { helpline: edit.helpline || null }),
          ...(edit.message !== undefined && { message: edit.message || null }),
          ...(edit.logo_url !== undefined && { logo_url: edit.logo_url || null }),
          ...(edit.allow_recording !== undefined && { allow_recording: edit.allow_recording }),
          ...(edit.has_public_card !== undefined && { has_public_card: edit.has_public_card }),
          ...(password_hash && { password_hash }),
        })
        .where('host_id', '=', host_id)
        .returningAll()
        .executeTakeFirst()
      const shown = { ...after, password_hash: undefined, password: password_hash !== null }
      const change = diffFields({ ...before, password: false }, shown)
      await audit(deps, tx, by, { action: 'app_info_edited', ...change })
      const signedOut = password_hash
        ? await deps.sessions.endRows(tx, { host_phone_of: host_id }, 'password_changed')
        : []
      return { ended: signedOut, replaced: before?.logo_url === after?.logo_url ? null : before?.logo_url }
    })
    if (ended.length > 0) await (await deps.rooms.get(host_id)).commands.signOut([host_id], 'password_changed')
    deps.sessions.forget(ended, 'password_changed')
    return replaced
  })
  await removeUnusedLogo(deps, replaced)
  return findAppInfo(deps, by)
}
