import { Button, Group } from '@mantine/core'
import { IconArmchair, IconArmchairOff } from '@tabler/icons-react'
import type { InZoomApp, Room } from '../../../../shared/rooms.ts'
import type { Seat } from '../../../../shared/seat.ts'
import type { SeatControl } from '../../../widgets/seat/keeper-view.ts'
import { useKeeperView, useSeat, useSeatView } from '../../../widgets/seat/seat-context.ts'
import type { SeatView } from '../../../widgets/seat/seat-view.ts'
import classes from './bar.module.css'

/** Says what the room's seat sees and mutes, and offers it to the host. Nothing where the server has no seats. */
export function SeatLine({ room, disabled }: { room: Room | undefined; disabled: boolean }) {
  const access = useSeat()
  const isRead = useSeatView(hasBeenRead)
  const seat = useSeatView(seatOf)
  if (!access || !isRead || room?.zoom_status !== 'connected') return null
  const { in_zoom_app } = room
  const words = wordsOf(seat, seat.seat_id !== null && seat.seat_id === access.control?.seatId, in_zoom_app)
  const Icon = seat.state === 'off' || seat.state === 'lost' ? IconArmchairOff : IconArmchair
  const isLost = seat.state === 'lost'
  const isOffer = seat.state === 'off' && access.control !== null
  return (
    <div className={classes.seat} data-tone={isLost ? 'bad' : undefined} hidden={words === null && !isOffer}>
      <Icon size={15} aria-hidden="true" />
      <span>
        <span role="status">{isLost ? words : ''}</span>
        {isLost ? '' : words}
      </span>
      {access.control ? (
        <SeatButtons
          control={access.control}
          seat={seat}
          mayJoinAsGuest={in_zoom_app?.has_host === true && in_zoom_app.admits_seat_as_guest}
          disabled={disabled}
        />
      ) : null}
    </div>
  )
}

function wordsOf(
  { state, powers, by, lock }: Seat,
  isOwn: boolean,
  inZoomApp: InZoomApp | null | undefined,
): string | null {
  switch (state) {
    case 'off':
      return othersInZoom(inZoomApp?.others ?? 0)
    case 'lost':
      return `The host’s seat is lost. Those in Zoom only are no longer seen or muted.${
        lock ? ' Mute All holds on Parley’s app only.' : ''
      } Coming back…`
    case 'joining':
    case 'reconnecting':
      return `${by ?? 'The host'} has the host’s seat, which is not in the meeting yet.`
    case 'in':
      if (powers === 'none') return 'The host’s seat sees who is in Zoom, but has no power to mute there.'
      return isOwn ? null : `The browser of ${by ?? 'the host'} has the host’s seat.`
  }
}

/** Zoom’s events count them. Nothing is said where there is nobody. */
function othersInZoom(count: number): string | null {
  if (count === 0) return null
  const others = count === 1 ? '1 other is in Zoom.' : `${count.toLocaleString('en')} others are in Zoom.`
  return `Only users of Parley’s phone app can be muted from here. ${others}`
}

type SeatButtonsProps = { control: SeatControl; seat: Seat; mayJoinAsGuest: boolean; disabled: boolean }

/**
 * Takes the seat, or takes it over from another console. The page that has it shows it in its dock. A host who is in the
 * meeting with Zoom's app is offered the way first in which both can stay, where Zoom admits a guest.
 */
function SeatButtons({ control, seat, mayJoinAsGuest, disabled }: SeatButtonsProps) {
  const { phase } = useKeeperView(control)
  if (phase !== 'off') return null
  const isTaken = seat.state !== 'off' && seat.state !== 'lost'
  return (
    <Group gap={6}>
      {mayJoinAsGuest && !isTaken ? (
        <Button
          size="xs"
          variant="default"
          title="You are in this meeting with Zoom’s app: as co-host, both can stay"
          disabled={disabled}
          onClick={() => void control.take('guest')}
        >
          Join as co-host
        </Button>
      ) : null}
      <Button size="xs" variant="default" disabled={disabled} onClick={() => void control.take('host', isTaken)}>
        {isTaken ? 'Take the seat over' : 'Take the host’s seat'}
      </Button>
    </Group>
  )
}

const hasBeenRead = ({ isRead }: SeatView) => isRead
const seatOf = ({ seat }: SeatView) => seat
