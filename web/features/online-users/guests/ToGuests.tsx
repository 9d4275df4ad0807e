import { Button } from '@mantine/core'
import { IconArrowDown } from '@tabler/icons-react'
import { useSeatView } from '../../../widgets/seat/seat-context.ts'
import { isSeeing } from '../../../widgets/seat/seat-view.ts'
import type { LiveRoomStore } from '../live-room/live-room-store.ts'
import { useGuests } from '../live-room/use-guests.ts'

/** Leads to those in Zoom only, who come after the users and so are out of sight in most rooms. */
export function ToGuests({ store }: { store: LiveRoomStore }) {
  return useSeatView(isSeeing) ? <GuestsButton store={store} /> : null
}

function GuestsButton({ store }: { store: LiveRoomStore }) {
  const { guests, view } = useGuests(store)
  const count = guests.length + view.others
  if (count === 0) return null

  function handlePress() {
    const heading = document.getElementById('in-zoom-only')
    heading?.focus({ preventScroll: true })
    heading?.scrollIntoView({ block: 'start' })
  }

  return (
    <Button
      size="xs"
      variant="default"
      rightSection={<IconArrowDown size={14} aria-hidden="true" />}
      onClick={handlePress}
    >
      See the {count.toLocaleString('en')} in Zoom only
    </Button>
  )
}
