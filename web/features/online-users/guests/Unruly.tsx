import { Group } from '@mantine/core'
import type { Attendee } from '../../../../shared/seat.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { SteadyButton } from '../../../ui/SteadyButton.tsx'
import type { SeatControl } from '../../../widgets/seat/keeper-view.ts'
import { useKeeperView } from '../../../widgets/seat/seat-context.ts'
import type { ActOnAttendee } from './act-on-attendee.ts'

type UnrulyProps = {
  control: SeatControl
  attendees: ReadonlyMap<string, Attendee>
  disabled: boolean
  busyKeys: ReadonlySet<string>
  onAct: ActOnAttendee
  onRemove: (guest: Attendee) => void
}

/** Offers more than a mute for those who unmute again and again; only the page with the seat counts. */
export function Unruly({ control, attendees, disabled, busyKeys, onAct, onRemove }: UnrulyProps) {
  const { unruly } = useKeeperView(control)
  return unruly
    .flatMap((key) => attendees.get(key) ?? [])
    .map((guest) => (
      <div key={guest.key} data-row>
        <Notice tone="warn" title={`${guest.name} has unmuted five times within a minute`}>
          <Group gap="xs">
            <SteadyButton
              size="xs"
              variant="default"
              off={disabled}
              busy={busyKeys.has(guest.key)}
              onClick={() => void onAct(guest, 'hold')}
            >
              Send to the waiting room
            </SteadyButton>
            <SteadyButton size="xs" variant="default" c="var(--bad)" off={disabled} onClick={() => onRemove(guest)}>
              Remove
            </SteadyButton>
          </Group>
        </Notice>
      </div>
    ))
}
