import { Modal } from '@mantine/core'
import { useFullscreenDocument } from '@mantine/hooks'
import { IconMaximize, IconMinimize, IconX } from '@tabler/icons-react'
import { type ReactNode, useEffect, useMemo } from 'react'
import { useStore } from 'zustand'
import type { RoomUser } from '../../../../shared/room-users.ts'
import { useNow } from '../../../lib/use-now.ts'
import { WakeLock } from '../../../lib/wake-lock.ts'
import { IconButton } from '../../../ui/base/Button.tsx'
import { formatTime } from '../../../ui/format-date.ts'
import { useLayer } from '../../../ui/layers.ts'
import { floorUserOf, isMuteAllOn, type LiveRoomStore, queueOrderOf, usersOf } from '../live-room/live-room-store.ts'
import { Elapsed } from '../live-room/ServerTime.tsx'
import { useGuests } from '../live-room/use-guests.ts'
import type { ConnectionState } from '../live-room/use-live-room.ts'
import { handQueue } from '../speakers/hand-queue.ts'
import { TurnClock } from '../speakers/TurnClock.tsx'
import classes from './wall.module.css'

/** More names would be too small to read from across a hall. */
const SPEAKERS_SHOWN = 5
const HANDS_SHOWN = 6
const CLOCK_MS = 1_000

type WallViewProps = { store: LiveRoomStore; roomName: string; connection: ConnectionState; onClose: () => void }

/** Fills a second screen, to be read from the other side of a hall: who speaks, for how long, and who is next. */
export function WallView({ store, roomName, connection, onClose }: WallViewProps) {
  const close = useLayer(true, onClose)
  const { fullscreen, toggle } = useFullscreenDocument()
  useWakeLock()
  return (
    <Modal.Root opened fullScreen onClose={close} transitionProps={{ duration: 0 }}>
      <Modal.Content aria-label={`Wall view of ${roomName}`}>
        <div className={classes.wall}>
          <div className={classes.head}>
            <h1 className={classes.room}>
              <bdi>{roomName}</bdi>
            </h1>
            <Counts store={store} />
            {connection === 'stale' ? <span className={classes.stale}>Out of date</span> : null}
            <Clock />
            <span className={classes.buttons}>
              <IconButton label={fullscreen ? 'Leave full screen' : 'Full screen'} onClick={() => void toggle()}>
                {fullscreen ? (
                  <IconMinimize size={20} aria-hidden="true" />
                ) : (
                  <IconMaximize size={20} aria-hidden="true" />
                )}
              </IconButton>
              <IconButton label="Close the wall view" onClick={close}>
                <IconX size={20} aria-hidden="true" />
              </IconButton>
            </span>
          </div>
          <div className={classes.columns}>
            <Speakers store={store} />
            <Hands store={store} />
          </div>
        </div>
      </Modal.Content>
    </Modal.Root>
  )
}

function useWakeLock() {
  useEffect(() => {
    const lock = new WakeLock()
    lock.want(true)
    return () => lock.close()
  }, [])
}

function Clock() {
  useNow(CLOCK_MS)
  return <time className={classes.clock}>{formatTime(new Date().toISOString())}</time>
}

function Counts({ store }: { store: LiveRoomStore }) {
  const { length } = useStore(store, usersOf)
  const isMuted = useStore(store, isMuteAllOn)
  return (
    <span className={classes.counts}>
      {length.toLocaleString('en')} online{isMuted ? ' · everyone is muted' : ''}
    </span>
  )
}

function Speakers({ store }: { store: LiveRoomStore }) {
  const users = useStore(store, usersOf)
  const floorUser = useStore(store, floorUserOf)
  const { guests, view } = useGuests(store)
  const speaking = useMemo(() => users.filter((user) => user.is_speaking && user !== floorUser), [users, floorUser])
  const inZoom = useMemo(() => guests.filter(({ key }) => view.speaking.has(key)), [guests, view.speaking])
  const rows = [
    ...(floorUser ? [<Name key={floorUser.id} name={floorUser.username} time={<TurnClock store={store} />} />] : []),
    ...speaking.map(({ id, username, speaking_since }) => (
      <Name key={id} name={username} time={<Elapsed since={speaking_since} />} />
    )),
    ...inZoom.map(({ key, name }) => <Name key={key} name={name} time={null} />),
  ]
  return (
    <Column title="Speaking" rows={rows} shown={SPEAKERS_SHOWN} empty="No one is speaking" isLarge={rows.length < 3} />
  )
}

function Hands({ store }: { store: LiveRoomStore }) {
  const users = useStore(store, usersOf)
  const queueOrder = useStore(store, queueOrderOf)
  const queue = useMemo(() => handQueue({ users, queueOrder }), [users, queueOrder])
  const { hands } = useGuests(store)
  const waiting = ({ id, username, wants_to_speak_at }: RoomUser) => (
    <Name key={id} name={username} time={<Elapsed since={wants_to_speak_at} />} />
  )
  const rows = [...queue.map(waiting), ...hands.map(({ key, name }) => <Name key={key} name={name} time={null} />)]
  return <Column title="Next to speak" rows={rows} shown={HANDS_SHOWN} empty="No raised hands" isNumbered />
}

type ColumnProps = {
  title: string
  rows: ReactNode[]
  shown: number
  empty: string
  isLarge?: boolean
  isNumbered?: boolean
}

function Column({ title, rows, shown, empty, isLarge = false, isNumbered = false }: ColumnProps) {
  const List = isNumbered ? 'ol' : 'ul'
  const others = rows.length - shown
  return (
    <section className={classes.column} data-large={isLarge || undefined} aria-label={title}>
      <h2 className={classes.title}>{title}</h2>
      {rows.length === 0 ? (
        <p className={classes.empty}>{empty}</p>
      ) : (
        <List className={classes.list}>{rows.slice(0, shown)}</List>
      )}
      {others > 0 ? <p className={classes.others}>and {others} more</p> : null}
    </section>
  )
}

function Name({ name, time }: { name: string; time: ReactNode }) {
  return (
    <li className={classes.row}>
      <bdi dir="auto" className={classes.name}>
        {name}
      </bdi>
      <span className={classes.time}>{time}</span>
    </li>
  )
}
