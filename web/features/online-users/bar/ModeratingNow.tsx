import { IconUsers } from '@tabler/icons-react'
import { useStore } from 'zustand'
import { useSession } from '../../../lib/session/session.ts'
import type { LiveRoomState } from '../live-room/live-room.ts'
import type { LiveRoomStore } from '../live-room/live-room-store.ts'
import classes from './bar.module.css'
import { MuteAllBy } from './MuteAllBy.tsx'
import { useIsPhone } from './screen-width.ts'

/** More would push the tiles of a phone out of sight. */
const MOST_NAMES = 4

/** Names the others whose consoles are open in this room. Shows nothing to somebody who is alone. */
export function ModeratingNow({ store }: { store: LiveRoomStore }) {
  const moderators = useStore(store, moderatorsOf)
  const isPhone = useIsPhone()
  const own = useSession().user?.id
  const others = moderators.filter(({ id }) => id !== own)
  const more = others.length - MOST_NAMES
  const names = others.slice(0, MOST_NAMES).map(({ name }) => name)
  if (more > 0) names.push(`${more} more`)
  return (
    <>
      {others.length > 0 ? (
        <p className={classes.moderating}>
          <IconUsers size={15} aria-hidden="true" />
          <span>
            <span>Moderating now</span>: {names.join(', ')}
            {others.length < moderators.length ? ' and you' : ''}
          </span>
        </p>
      ) : null}
      {isPhone ? <MuteAllBy store={store} className={classes.moderating} /> : null}
    </>
  )
}

const moderatorsOf = ({ moderators }: LiveRoomState) => moderators
