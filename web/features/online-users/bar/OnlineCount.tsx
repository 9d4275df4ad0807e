import { memo } from 'react'
import { useStore } from 'zustand'
import { type LiveRoomStore, usersOf } from '../live-room/live-room-store.ts'
import classes from './bar.module.css'

export const OnlineCount = memo(function OnlineCount({ store }: { store: LiveRoomStore }) {
  const { length } = useStore(store, usersOf)
  return (
    <dl className={classes.online}>
      <dt>Currently Online</dt>
      <dd>{length}</dd>
    </dl>
  )
})
