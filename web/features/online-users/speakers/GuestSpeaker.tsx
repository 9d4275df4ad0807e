import { Box } from '@mantine/core'
import { IconMicrophoneOff } from '@tabler/icons-react'
import type { Attendee } from '../../../../shared/seat.ts'
import { IconButton } from '../../../ui/base/Button.tsx'
import { PersonText } from '../../../ui/PersonText.tsx'
import type { ClickGuard } from '../../../ui/use-click-guard.ts'
import type { SeatStore } from '../../../widgets/seat/seat-store.ts'
import { useActOnAttendee, useBusyAttendees } from '../guests/act-on-attendee.ts'
import classes from './speakers.module.css'

type GuestSpeakerProps = { seat: SeatStore; guest: Attendee; disabled: boolean; isMeant: ClickGuard }

/** Somebody in Zoom only who speaks. When they began is not known. */
export function GuestSpeaker({ seat, guest, disabled, isMeant }: GuestSpeakerProps) {
  const act = useActOnAttendee(seat)
  const isBusy = useBusyAttendees().has(guest.key)
  return (
    <li className={classes.speaker} data-disabled={disabled || undefined}>
      <PersonText text={guest.name} className={`two-lines ${classes.name}`} wraps />
      <Box component="span" flex="none" fz="xs" ta="end" pe={4}>
        in Zoom
      </Box>
      <IconButton
        className={classes.mute}
        label={`Mute ${guest.name}`}
        off={disabled || isBusy}
        onClick={(event) => isMeant(guest.key, event) && void act(guest, 'mute')}
      >
        <IconMicrophoneOff size={16} aria-hidden="true" />
      </IconButton>
    </li>
  )
}
