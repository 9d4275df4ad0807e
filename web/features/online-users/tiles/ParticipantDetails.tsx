import type { ReactNode } from 'react'
import type { RoomUser } from '../../../../shared/room-users.ts'
import { shortDeviceId } from '../../../lib/short-device-id.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { formatMoment } from '../../../ui/format-date.ts'
import { UserStatusBadge } from '../../../ui/UserStatusBadge.tsx'
import classes from './ParticipantDetails.module.css'
import { tileState, tileWords } from './tile-state.ts'

/** All that the room knows of one participant, as it changes. */
export function ParticipantDetails({ user, onClose }: { user: RoomUser; onClose: () => void }) {
  return (
    <Dialog onClose={onClose} title={user.username}>
      <dl className={classes.lines}>
        <Line label="User ID">{user.user_id}</Line>
        <Line label="Reference">{user.reference}</Line>
        <Line label="Status">
          <UserStatusBadge user={user} />
        </Line>
        <Line label="In the room">{user.is_online ? tileWords[tileState(user)] : 'Not online'}</Line>
        <Line label="Microphone">
          {user.is_muted ? 'Muted by the host' : `Open, speaker ${user.speaker_on ? 'on' : 'off'}`}
        </Line>
        <Line label="Zoom">{presenceWords(user)}</Line>
        <Line label="Phone">{[user.device_model, user.platform].filter(Boolean).join(' · ')}</Line>
        <Line label="App version">{user.app_version}</Line>
        <Line label="Device">{user.device_id ? shortDeviceId(user.device_id) : null}</Line>
        <Line label="Signed in">{user.login_time ? formatMoment(user.login_time) : null}</Line>
      </dl>
    </Dialog>
  )
}

function presenceWords({ in_meeting }: RoomUser): string {
  if (in_meeting === null) return 'Not connected'
  return in_meeting ? 'In the meeting' : 'Only in the app, not in the meeting'
}

function Line({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={classes.line}>
      <dt>{label}</dt>
      <dd>{children || <span className={classes.none}>None</span>}</dd>
    </div>
  )
}
