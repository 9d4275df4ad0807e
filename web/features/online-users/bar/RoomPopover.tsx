import { Group, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { useStore } from 'zustand'
import { ButtonPopover } from '../../../ui/ButtonPopover.tsx'
import { type LiveRoomStore, usersOf } from '../live-room/live-room-store.ts'
import classes from './bar.module.css'
import { CountFilters, type CountFiltersProps } from './CountFilters.tsx'
import { OnlineCount } from './OnlineCount.tsx'
import { ZoomOnlyCount } from './ZoomOnlyCount.tsx'

type RoomPopoverProps = {
  store: LiveRoomStore
  live: ReactNode
  meeting: ReactNode
  filters: CountFiltersProps
}

/** The counts and the meeting, which do not fit into a phone's bar. */
export function RoomPopover({ store, live, meeting, filters }: RoomPopoverProps) {
  const { length } = useStore(store, usersOf)
  return (
    <ButtonPopover
      label="Counts and meeting"
      position="top-start"
      width="calc(100vw - 1.5rem)"
      button={(toggle) => (
        <button
          type="button"
          className={classes.cell}
          data-pressed={filters.chosen !== null || undefined}
          onClick={toggle}
        >
          <span className={classes.cellMark}>{live}</span>
          <span>{length} online</span>
          <span className="unseen">, counts and meeting</span>
        </button>
      )}
    >
      <Stack gap="sm">
        <Group gap="lg">
          <OnlineCount store={store} />
          <ZoomOnlyCount store={store} />
        </Group>
        <CountFilters {...filters} />
        {meeting}
      </Stack>
    </ButtonPopover>
  )
}
