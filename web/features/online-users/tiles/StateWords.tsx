import {
  IconBellRinging,
  IconDeviceMobileOff,
  IconHourglassHigh,
  IconMicrophoneOff,
  IconPinFilled,
  IconVolumeOff,
} from '@tabler/icons-react'
import type { RoomUser } from '../../../../shared/room-users.ts'
import type { UserGroup } from '../../../../shared/user-groups.ts'
import { soundWords } from '../../../widgets/room-user/sound-words.ts'
import { spokenMinutes, spokenTime } from '../../../widgets/room-user/spoken-words.ts'
import { presenceText } from './TileIcon.tsx'
import { MAY_SPEAK, MUTED, NOT_ANSWERING, tileState, tileWord } from './tile-state.ts'
import classes from './tiles.module.css'

type StateWordsProps = {
  id: string
  user: RoomUser
  groups: readonly UserGroup[]
  hostMuteAll: boolean
  inMeeting: boolean | null
  zoom: string | null
}

/** The user's state in words, with marks for further states; it describes the button that covers it. */
export function StateWords({ id, user, groups, hostMuteAll, inMeeting, zoom }: StateWordsProps) {
  const word = tileWord(user, hostMuteAll)
  const isAlsoMuted = user.is_muted && word !== MUTED
  const showsMute = tileState(user) === 'muted' // the tile's icon shows it
  return (
    <span className={classes.state} id={id}>
      <span className={classes.word} data-open={(word === MAY_SPEAK && !user.asleep) || undefined}>
        {user.asleep ? (
          <>
            {NOT_ANSWERING}
            <span className="unseen">, {word}</span>
          </>
        ) : (
          word
        )}
        {zoom ? `, ${zoom}` : null}
      </span>
      {user.asleep ? <IconDeviceMobileOff size={14} stroke={2} aria-hidden="true" /> : null}
      <SoundMark user={user} word={word} />
      {isAlsoMuted ? <span className="unseen">, muted</span> : null}
      {isAlsoMuted && !showsMute ? <IconMicrophoneOff size={14} stroke={2} aria-hidden="true" /> : null}
      {inMeeting === null ? null : <span className="unseen">, {presenceText(inMeeting)}</span>}
      {groups.length > 0 ? <span className="unseen">, in {groups.map(({ name }) => name).join(', ')}</span> : null}
      {user.is_pinned ? (
        <>
          <IconPinFilled className={classes.pinned} size={14} aria-hidden="true" />
          <span className="unseen">, pinned</span>
        </>
      ) : null}
      <SpokenMark ms={user.spoken_ms} />
      {user.pending_command && !user.asleep ? (
        <>
          <IconHourglassHigh className={classes.pending} size={14} stroke={2} aria-hidden="true" />
          <span className="unseen">, the phone has not answered yet</span>
        </>
      ) : null}
    </span>
  )
}

/** Small tiles leave it out, but for screen readers. */
function SpokenMark({ ms }: { ms: number }) {
  const minutes = spokenMinutes(ms)
  if (minutes === null) return null
  return (
    <>
      <span className={classes.spoken} aria-hidden="true">
        {minutes}
      </span>
      <span className="unseen">, {spokenWords(ms)}</span>
    </>
  )
}

const spokenWords = (ms: number) => `spoke ${spokenTime(ms)} in this meeting`

/** Marks a phone without sound, or one that rings for its user; small tiles show only this. */
function SoundMark({ user, word }: { user: RoomUser; word: string }) {
  const sound = soundWords(user)
  const Icon = sound ? IconVolumeOff : IconBellRinging
  const isMarked = !user.asleep && (sound !== null || user.asked_to_speak)
  return (
    <>
      {isMarked ? <Icon size={14} stroke={2} aria-hidden="true" /> : null}
      {sound && word !== sound ? <span className="unseen">, {sound.toLowerCase()}</span> : null}
    </>
  )
}
