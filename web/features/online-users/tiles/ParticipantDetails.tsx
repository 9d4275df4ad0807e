import type { RoomUser } from '../../../../shared/room-users.ts'
import { shortDeviceId } from '../../../lib/short-device-id.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Fact, Facts } from '../../../ui/Facts.tsx'
import { formatMoment } from '../../../ui/format-date.ts'
import { UserStatusBadge } from '../../../ui/UserStatusBadge.tsx'
import { tileState, tileWords } from './tile-state.ts'

/** All that the room knows of one participant, as it changes. */
export function ParticipantDetails({ user, onClose }: { user: RoomUser; onClose: () => void }) {
  return (
    <Dialog onClose={onClose} title={user.username}>
      <Facts>
        <Fact label="User ID">{user.user_id}</Fact>
        <Fact label="Reference">{user.reference}</Fact>
        <Fact label="Status">
          <UserStatusBadge user={user} />
        </Fact>
        <Fact label="In the room">{user.is_online ? tileWords[tileState(user)] : 'Not online'}</Fact>
        <Fact label="Microphone">
          {user.is_muted ? 'Muted by the host' : `Open, speaker ${user.speaker_on ? 'on' : 'off'}`}
        </Fact>
        <Fact label="Zoom">{presenceWords(user)}</Fact>
        <Fact label="Phone">{[user.device_model, user.platform].filter(Boolean).join(' · ')}</Fact>
        <Fact label="App version">{user.app_version}</Fact>
        <Fact label="Device">{user.device_id ? shortDeviceId(user.device_id) : null}</Fact>
        <Fact label="Signed in">{user.login_time ? formatMoment(user.login_time) : null}</Fact>
      </Facts>
    </Dialog>
  )
}

function presenceWords({ in_meeting }: RoomUser): string {
  if (in_meeting === null) return 'Not connected'
  return in_meeting ? 'In the meeting' : 'Only in the app, not in the meeting'
}
