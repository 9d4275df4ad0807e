import { IconVolumeOff } from '@tabler/icons-react'
import { useWords } from '../words/language.ts'
import { ConnectionLine } from './ConnectionLine.tsx'
import classes from './OwnState.module.css'
import { ownStateOf } from './own-state.ts'
import type { RoomView } from './room-session.ts'

const TAP_AWAITED = { tone: 'lost', icon: IconVolumeOff, title: 'room.tap_again' } as const

/** Stays at the top of the screen while scrolling, since users rely on it. */
export function OwnState({ view }: { view: RoomView }) {
  const t = useWords()
  const { tone, icon: Icon, title } = view.is_tap_awaited ? TAP_AWAITED : ownStateOf(view)
  return (
    <section className={classes.pinned}>
      <div className={classes.row} data-tone={tone}>
        <span className={classes.icon}>
          <Icon size="1.5em" aria-hidden="true" />
        </span>
        <p role="status" className={classes.title}>
          {t(title)}
        </p>
      </div>
      <ConnectionLine connection={view.connection} />
    </section>
  )
}

/** Explains the state, below it. */
export function OwnStateDetail({ view }: { view: RoomView }) {
  const t = useWords()
  const { tone, detail } = ownStateOf(view)
  const isMutedToo = view.state.is_muted && tone === 'none'
  return (
    <div role="status" className={classes.detail}>
      <p>{t(detail)}</p>
      {isMutedToo ? (
        <p>{t(view.state.host_mute_all_active ? 'room.cannot_speak_all' : 'room.cannot_speak_muted')}</p>
      ) : null}
      {view.connection === 'lost' ? <p>{t('room.connection_lost_detail')}</p> : null}
    </div>
  )
}
