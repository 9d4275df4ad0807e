import { sql } from 'kysely'
import type { Deps } from '../../deps.ts'
import { countWaitingMails } from '../../features/mail/mail-queue.ts'
import { waitingByHost } from '../../features/recordings/archive/to-archive.ts'
import { scopeWarnings } from '../../features/zoom-accounts/account-warnings.ts'

/** Codes of warnings that a host's connection to Zoom may have. */
const WARNINGS = ['basic_plan', 'cloud_recording_off', 'no_audio_files', 'zoom_storage'] as const
/** Begins the codes of settings that Zoom has changed in a room's meeting. */
const ROOM_SETTING = 'room_'

type Problem = 'reconnect_needed' | 'scopes_missing' | 'room_settings' | 'archive_full' | (typeof WARNINGS)[number]

export interface StoredCounts {
  backlog: number
  mailWaiting: number
  zoomHosts: Record<'connected' | 'reconnect_needed' | 'not_connected', number>
  inTrouble: Record<Problem, number>
}

/** Counts hosts and events in the database, and names none. */
export async function readStored(deps: Deps): Promise<StoredCounts> {
  const [{ rows }, waiting, events, mails] = await Promise.all([
    sql<{ reconnect_needed: boolean | null; scopes: string | null; codes: string[] | null; hosts: number }>`
      select zoom_links.reconnect_needed, zoom_links.scopes, count(*)::int as hosts,
        (select array_agg(distinct warning ->> 'code') from jsonb_array_elements(zoom_links.warnings) as warning) as codes
      from hosts left join zoom_links on zoom_links.host_id = hosts.id
      where hosts.deleted_at is null
      group by 1, 2, 4`.execute(deps.db),
    waitingByHost(deps),
    deps.db
      .selectFrom('zoom_events')
      .select((eb) => eb.fn.countAll<string>().as('count'))
      .where('processed_at', 'is', null)
      .executeTakeFirstOrThrow(),
    countWaitingMails(deps.db),
  ])
  const zoomHosts = { connected: 0, reconnect_needed: 0, not_connected: 0 }
  const inTrouble: Record<Problem, number> = {
    ...{ reconnect_needed: 0, scopes_missing: 0, room_settings: 0, archive_full: waiting.size },
    ...{ basic_plan: 0, cloud_recording_off: 0, no_audio_files: 0, zoom_storage: 0 },
  }
  for (const { reconnect_needed, scopes, codes, hosts } of rows) {
    if (reconnect_needed === null) zoomHosts.not_connected += hosts
    else zoomHosts[reconnect_needed ? 'reconnect_needed' : 'connected'] += hosts
    if (reconnect_needed) inTrouble.reconnect_needed += hosts
    if (scopeWarnings(scopes).length > 0) inTrouble.scopes_missing += hosts
    if (codes?.some((code) => code.startsWith(ROOM_SETTING))) inTrouble.room_settings += hosts
    for (const code of WARNINGS) if (codes?.includes(code)) inTrouble[code] += hosts
  }
  return { backlog: Number(events.count), mailWaiting: mails, zoomHosts, inTrouble }
}
