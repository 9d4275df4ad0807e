import { Popover } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useStore } from 'zustand'
import { type LiveRoomStore, usersOf } from '../live-room/live-room-store.ts'
import classes from './bar.module.css'
import { CountFilters, type CountFiltersProps } from './CountFilters.tsx'
import { OnlineCount } from './OnlineCount.tsx'

type RoomPopoverProps = {
  store: LiveRoomStore
  live: ReactNode
  meeting: ReactNode
  filters: CountFiltersProps
}

/** What a phone's bar has no room for: the counts, and the meeting. */
export function RoomPopover({ store, live, meeting, filters }: RoomPopoverProps) {
  const { length } = useStore(store, usersOf)
  const [isOpen, setOpen] = useState(false)
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      position="top-start"
      width="calc(100vw - 1.5rem)"
      shadow="md"
      zIndex={150} // below the questions that its buttons ask
      trapFocus
      returnFocus
      portalProps={{ target: '#content' }}
    >
      <Popover.Target>
        <button
          type="button"
          className={classes.cell}
          data-pressed={filters.chosen !== null || undefined}
          onClick={() => setOpen(!isOpen)}
        >
          <span className={classes.cellMark}>{live}</span>
          <span>{length} online</span>
          <span className="unseen">, counts and meeting</span>
        </button>
      </Popover.Target>
      <Popover.Dropdown className={classes.sheet} aria-label="Counts and meeting">
        <OnlineCount store={store} />
        <CountFilters {...filters} />
        {meeting}
      </Popover.Dropdown>
    </Popover>
  )
}
