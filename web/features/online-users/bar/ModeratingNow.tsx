import { IconMicrophoneOff, IconUsers } from '@tabler/icons-react'
import { Fragment } from 'react'
import { useStore } from 'zustand'
import { useSession } from '../../../lib/session/session.ts'
import type { LiveRoomState } from '../live-room/live-room.ts'
import type { LiveRoomStore } from '../live-room/live-room-store.ts'
import classes from './bar.module.css'
import { MuteAllBy, useMuteAllBy } from './MuteAllBy.tsx'
import { useIsPhone } from './screen-width.ts'

/** More would push the tiles of a phone out of sight. */
const MOST_NAMES = 4

/** Names the others whose consoles are open in this room. Shows nothing to somebody who is alone. */
export function ModeratingNow({ store }: { store: LiveRoomStore }) {
  const moderators = useStore(store, moderatorsOf)
  const isPhone = useIsPhone()
  const isPressedByOther = useMuteAllBy(store) !== null
  const own = useSession().user?.id
  const others = moderators.filter(({ id }) => id !== own)
  const more = others.length - MOST_NAMES
  return (
    <>
      {others.length > 0 ? (
        <p className={classes.moderating}>
          <IconUsers size={15} aria-hidden="true" />
          <span>
            <span>Moderating now</span>:{' '}
            {others.slice(0, MOST_NAMES).map(({ id, name }, index) => (
              <Fragment key={id}>
                {index > 0 ? ', ' : null}
                <bdi>{name}</bdi>
              </Fragment>
            ))}
            {more > 0 ? `, ${more} more` : null}
            {others.length < moderators.length ? ' and you' : null}
          </span>
        </p>
      ) : null}
      {isPhone && isPressedByOther ? (
        <p className={classes.moderating}>
          <IconMicrophoneOff size={15} aria-hidden="true" />
          <MuteAllBy store={store} />
        </p>
      ) : null}
    </>
  )
}

const moderatorsOf = ({ moderators }: LiveRoomState) => moderators
