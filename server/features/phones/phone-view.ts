import type { z } from 'zod'
import { hostUserId } from '../../../shared/host-ids.ts'
import type { MobileApp, MobileRoom, MobileUser } from '../../../shared/mobile.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { findNextMeeting } from '../planned-meetings/planned-meetings.ts'
import { countSharedRecordings } from '../recordings/shared-recordings.ts'
import type { PhoneOwner } from './phone-login.ts'

interface PhoneView {
  user: z.infer<typeof MobileUser>
  room: z.infer<typeof MobileRoom>
  app: z.infer<typeof MobileApp>
}

export async function phoneView(deps: Deps, { host_id, room_user_id }: PhoneOwner): Promise<PhoneView> {
  const { db } = deps
  const row = await db
    .selectFrom('hosts')
    .innerJoin('rooms', 'rooms.host_id', 'hosts.id')
    .leftJoin('app_info', 'app_info.host_id', 'hosts.id')
    .select(['hosts.id', 'hosts.numerical_id', 'hosts.username'])
    .select(['rooms.id as room_id', 'rooms.name as room_name', 'rooms.zoom_meeting_id'])
    .select(['user_title', 'helpline', 'message', 'logo_url', 'allow_recording'])
    .where('hosts.id', '=', host_id)
    .executeTakeFirst()
  if (!row) throw new AppError('not_signed_in', 'Please sign in again.')
  const user = room_user_id
    ? await db
        .selectFrom('room_users')
        .select(['id', 'user_id', 'username', 'reference'])
        .where('id', '=', room_user_id)
        .executeTakeFirst()
    : { id: row.id, user_id: hostUserId(row.numerical_id), username: row.username, reference: null }
  if (!user) throw new AppError('not_signed_in', 'Please sign in again.')

  const next_meeting = await findNextMeeting(deps, host_id)
  const shared_recordings = await countSharedRecordings(deps, host_id)
  const { room_id, room_name, zoom_meeting_id, user_title, helpline, message, logo_url } = row
  return {
    user: { ...user, is_host: room_user_id === null },
    room: { room_id, room_name, zoom_meeting_id, ...(next_meeting && { next_meeting }), shared_recordings },
    app: { user_title, helpline, message, logo_url, allow_recording: row.allow_recording ?? true },
  }
}
