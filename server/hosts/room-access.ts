import type { Host, ProfileAction } from '../../shared/hosts.ts'
import type { DeactivationReason } from '../../shared/room-events.ts'
import { type AuditActor, audit } from '../audit/audit.ts'
import { changed } from '../audit/changed.ts'
import type { SessionsOf } from '../auth/sessions.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import { signOutHost } from './end-host-sessions.ts'
import { findHost } from './hosts.ts'

interface Effect {
  set?: { is_active: boolean } | { device_id: null }
  ends?: (hostId: string) => SessionsOf
  reason: DeactivationReason
}

/** What is done to a host's room and phone (S, A, C on its profile). None of it locks it out of the console. */
const EFFECTS: Record<ProfileAction, Effect> = {
  activate: { set: { is_active: true }, reason: 'logout' },
  stop: { set: { is_active: false }, ends: (host_id) => ({ host_id, role: 'phone' }), reason: 'stopped' },
  logout: { ends: (host_phone_of) => ({ host_phone_of }), reason: 'logout' },
  'change-phone': {
    set: { device_id: null },
    ends: (host_phone_of) => ({ host_phone_of }),
    reason: 'phone_changed',
  },
}

export async function actOnProfile(deps: Deps, by: AuditActor, host_id: string, action: ProfileAction): Promise<Host> {
  const { set, ends, reason } = EFFECTS[action]
  return deps.rooms.exclusively(host_id, async () => {
    const ended = await deps.db.transaction().execute(async (tx) => {
      const before = await tx
        .selectFrom('hosts')
        .select(['is_active', 'device_id'])
        .where('id', '=', host_id)
        .where('deleted_at', 'is', null)
        .forUpdate()
        .executeTakeFirst()
      if (!before) throw new AppError('not_found', 'Host not found')
      if (set) await tx.updateTable('hosts').set(set).where('id', '=', host_id).execute()
      const change = changed(before, { ...set })
      await audit(deps, tx, { ...by, host_id, action: `profile_${action}`, target: host_id, ...change })
      return ends ? deps.sessions.endRows(tx, ends(host_id), reason) : []
    })
    await signOutHost(deps, host_id, ended, reason)
    return findHost(deps, host_id)
  })
}
