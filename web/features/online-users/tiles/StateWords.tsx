import { IconDeviceMobileOff, IconHourglassHigh, IconMicrophoneOff, IconVolumeOff } from '@tabler/icons-react'
import type { RoomUser } from '../../../../shared/room-users.ts'
import { presenceText } from './TileIcon.tsx'
import { MUTED, maySpeak, NOT_ANSWERING, tileWord } from './tile-state.ts'
import classes from './tiles.module.css'

type StateWordsProps = { id: string; user: RoomUser; hostMuteAll: boolean; inMeeting: boolean | null }

/** A user's state in words, with marks for what else is true; it describes the button that lies over it. */
export function StateWords({ id, user, hostMuteAll, inMeeting }: StateWordsProps) {
  const word = tileWord(user, hostMuteAll)
  const isAlsoMuted = user.is_muted && word !== MUTED
  const hasNoSound = user.audio !== null && user.audio !== 'on'
  return (
    <span className={classes.state} id={id}>
      <span className={classes.word} data-open={maySpeak(user, hostMuteAll) || undefined}>
        {user.asleep ? (
          <>
            {NOT_ANSWERING}
            <span className="unseen">, {word}</span>
          </>
        ) : (
          word
        )}
      </span>
      {user.asleep ? <IconDeviceMobileOff size={14} stroke={2} aria-hidden="true" /> : null}
      {hasNoSound ? <IconVolumeOff size={14} stroke={2} aria-hidden="true" /> : null}
      {isAlsoMuted ? <span className="unseen">, muted</span> : null}
      {isAlsoMuted ? <IconMicrophoneOff size={14} stroke={2} aria-hidden="true" /> : null}
      {inMeeting === null ? null : <span className="unseen">, {presenceText(inMeeting)}</span>}
      {user.pending_command && !user.asleep ? (
        <>
          <IconHourglassHigh className={classes.pending} size={14} stroke={2} aria-hidden="true" />
          <span className="unseen">, the phone has not answered yet</span>
        </>
      ) : null}
    </span>
  )
}
