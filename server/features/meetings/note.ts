import type { EditMeetingNote } from '../../../shared/meetings.ts'
import type { HostActor } from '../../db/actor.ts'
import { audit } from '../../db/audit-log.ts'
import { lockHostShared } from '../../db/lock-host.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'

/** Saves the words that the host keeps with a meeting; empty ones remove them. */
export async function editMeetingNote(
  deps: Deps,
  by: HostActor,
  meeting_uuid: string,
  { note: words, expect }: EditMeetingNote,
): Promise<string | null> {
  const note = words === '' ? null : words
  await deps.db.transaction().execute(async (tx) => {
    await lockHostShared(tx, by.host_id)
    const sitting = await tx
      .selectFrom('sittings')
      .innerJoin('rooms', 'rooms.id', 'sittings.room_id')
      .select(['sittings.room_id', 'note'])
      .where('host_id', '=', by.host_id)
      .where('meeting_uuid', '=', meeting_uuid)
      .forUpdate('sittings')
      .executeTakeFirst()
    if (!sitting) throw new AppError('not_found', 'Meeting not found')
    if (sitting.note === note) return
    if (expect && expect.note !== (sitting.note ?? ''))
      throw new AppError('state_changed', 'Someone else has changed this note. Nothing was saved.')
    await tx
      .updateTable('sittings')
      .set({ note })
      .where('room_id', '=', sitting.room_id)
      .where('meeting_uuid', '=', meeting_uuid)
      .execute()
    await audit(deps, tx, by, { action: 'meeting_note_edited', before: { note: sitting.note }, after: { note } })
  })
  return note
}
