import { Box, Text } from '@mantine/core'
import { IconHandOff, IconHandStop } from '@tabler/icons-react'
import type { Attendee } from '../../../../shared/seat.ts'
import { Button, IconButton } from '../../../ui/base/Button.tsx'
import { PersonText } from '../../../ui/PersonText.tsx'
import type { ClickGuard } from '../../../ui/use-click-guard.ts'
import type { SeatStore } from '../../../widgets/seat/seat-store.ts'
import { useActOnAttendee, useBusyAttendees } from '../guests/act-on-attendee.ts'
import classes from './speakers.module.css'

type GuestHandsProps = { seat: SeatStore; hands: readonly Attendee[]; disabled: boolean; isMeant: ClickGuard }

/** Lists the hands of those in Zoom only, whose order is not known. */
export function GuestHands({ seat, hands, disabled, isMeant }: GuestHandsProps) {
  const act = useActOnAttendee(seat)
  const busyKeys = useBusyAttendees()

  /** Zoom leaves a hand up that has been answered. */
  async function handleAllow(guest: Attendee) {
    if (await act(guest, 'ask-unmute')) await act(guest, 'lower-hand')
  }

  return hands.map((guest) => {
    const { key, name, audio } = guest
    const isOff = disabled || busyKeys.has(key)
    const hasSound = audio !== ''
    return (
      <li key={key} className={classes.hand} data-queued-guest={key}>
        <span className={`chip ${classes.place}`}>
          <IconHandStop size={12} stroke={2} aria-hidden="true" />
        </span>
        <Box component="span" flex={1} miw={0}>
          <PersonText text={name} className={`two-lines ${classes.name}`} wraps />
          <Text component="span" display="block" fz={12} c="dimmed">
            {hasSound ? 'in Zoom' : 'in Zoom, without sound'}
          </Text>
        </Box>
        <Button
          className={classes.small}
          aria-label={`Allow ${name}`}
          title="Zoom asks them to unmute"
          off={isOff || !hasSound}
          onClick={(event) => isMeant(key, event) && void handleAllow(guest)}
        >
          Allow
        </Button>
        <IconButton
          className={classes.lower}
          label={`Lower the hand of ${name}`}
          off={isOff}
          onClick={(event) => isMeant(key, event) && void act(guest, 'lower-hand')}
        >
          <IconHandOff size={17} stroke={1.75} aria-hidden="true" />
        </IconButton>
      </li>
    )
  })
}
