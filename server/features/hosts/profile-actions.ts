import type { Host, ProfileAction } from '../../../shared/hosts.ts'
import type { DeactivationReason } from '../../../shared/room-events.ts'
import type { Actor } from '../../db/actor.ts'
import { audit } from '../../db/audit-log.ts'
import { diffFields } from '../../db/diff-fields.ts'
import { lockHost } from '../../db/lock-host.ts'
import type { Deps } from '../../deps.ts'
import { notFound } from '../../errors.ts'
import { signOutSessions } from '../auth/log-out.ts'
import type { SessionFilter } from '../auth/session-rows.ts'
import { findHost } from './hosts.ts'

interface ActionRule {
  set?: { is_active: boolean } | { device_id: null }
  ends?: (hostId: string) => SessionFilter
  reason: DeactivationReason
}

/** The actions S, A and C of a host's profile. None of them signs the host out of the console. */
const RULES: Record<ProfileAction, ActionRule> = {
  activate: { set: { is_active: true }, reason: 'logout' },
  stop: { set: { is_active: false }, ends: (host_id) => ({ host_id, role: 'phone' }), reason: 'stopped' },
  logout: { ends: (host_phone_of) => ({ host_phone_of }), reason: 'logout' },
  'change-phone': { set: { device_id: null }, ends: (host_phone_of) => ({ host_phone_of }), reason: 'phone_changed' },
}

export async function actOnProfile(deps: Deps, by: Actor, host_id: string, action: ProfileAction): Promise<Host> {
  const { set, ends, reason } = RULES[action]
  return deps.rooms.withRoomLock(host_id, async () => {
    const ended = await deps.db.transaction().execute(async (tx) => {
      const host = await lockHost(tx, host_id)
      if (!host || host.deleted_at) throw notFound('Host')
      const { is_active, device_id } = host
      if (set)
        await tx
          .updateTable('hosts')
          .set(set)
          .$if('device_id' in set, (update) => update.set({ device_secret_hash: null, device_secret_required: false }))
          .where('id', '=', host_id)
          .execute()
      const change = diffFields({ is_active, device_id }, { ...set })
      await audit(deps, tx, by, { host_id, action: `profile_${action}`, target: host_id, ...change })
      return ends ? deps.sessions.endRows(tx, ends(host_id), reason) : []
    })
    await signOutSessions(deps, host_id, ended, reason)
    return findHost(deps, host_id)
  })
}
