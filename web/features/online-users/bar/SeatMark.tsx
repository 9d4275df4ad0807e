import { Badge } from '@mantine/core'
import { useSeatView } from '../../../widgets/seat/seat-context.ts'
import type { SeatView } from '../../../widgets/seat/seat-view.ts'

/** Shows the room's seat beside the state of the page. Nothing while there is none. */
export function SeatMark() {
  const { state, powers, by, is_hidden } = useSeatView(seatOf)
  if (state === 'off') return null
  if (state === 'lost') return <Badge color="bad">Seat lost</Badge>
  if (state === 'joining') return <Badge color="quiet">Seat joins…</Badge>
  if (state === 'reconnecting') return <Badge color="warn">Seat connects…</Badge>
  const title = `The browser of ${by ?? 'the host'} sees who is in Zoom`
  if (powers === 'none') return <Badge color="warn">Seat without powers</Badge>
  return (
    <Badge color={is_hidden ? 'warn' : 'good'} title={title}>
      {is_hidden ? 'Seat out of sight' : 'Seat in Zoom'}
    </Badge>
  )
}

const seatOf = ({ seat }: SeatView) => seat
