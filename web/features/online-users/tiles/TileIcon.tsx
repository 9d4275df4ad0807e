import {
  IconDeviceMobile,
  IconEar,
  IconHandStop,
  IconHeadphones,
  IconMicrophone,
  IconMicrophoneOff,
  IconVolume,
} from '@tabler/icons-react'
import { Spinner } from '../../../ui/base/Spinner.tsx'
import type { TileState } from './tile-state.ts'
import classes from './tiles.module.css'

const icons: Record<TileState, typeof IconEar> = {
  speaking: IconVolume,
  'wants-to-speak': IconHandStop,
  muted: IconMicrophoneOff,
  'speaker-on': IconMicrophone,
  listening: IconEar,
}

type TileIconProps = { state: TileState; isOpen: boolean; busy: boolean; inMeeting: boolean | null }

/** Speaking and asking are both red: one has a moving level, the other a hand on white. */
export function TileIcon({ state, isOpen, busy, inMeeting }: TileIconProps) {
  const Icon = isOpen ? IconMicrophone : icons[state]
  return (
    <span className={classes.icon}>
      {busy ? <Spinner size={18} /> : <Icon stroke={1.9} aria-hidden="true" />}
      {state === 'speaking' ? (
        <span className={classes.level} aria-hidden="true">
          <i />
          <i />
          <i />
        </span>
      ) : null}
      {inMeeting === null ? null : <Presence inMeeting={inMeeting} />}
    </span>
  )
}

/** Only participants in Zoom's meeting have sound; the app without the meeting only shows the room. */
function Presence({ inMeeting }: { inMeeting: boolean }) {
  const Icon = inMeeting ? IconHeadphones : IconDeviceMobile
  return (
    <span className={classes.presence} data-presence={inMeeting ? 'meeting' : 'app'} title={presenceText(inMeeting)}>
      <Icon size={12} stroke={2.2} aria-hidden="true" />
    </span>
  )
}

export function presenceText(inMeeting: boolean): string {
  return inMeeting ? 'in the meeting' : 'only in the app'
}
