import { IconVolumeOff } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslate } from '../words/language.ts'
import classes from './AudioStatusBar.module.css'
import { audioStatusOf } from './audio-status.ts'
import { ConnectionLine } from './ConnectionLine.tsx'
import type { RoomView } from './room-session.ts'
import { TurnLine } from './TurnLine.tsx'

const TAP_AWAITED = { tone: 'lost', icon: IconVolumeOff, title: 'room.tap_again' } as const

/** Stays at the top of the screen while scrolling, since users rely on it. */
export function AudioStatusBar({ view, children }: { view: RoomView; children?: ReactNode }) {
  const t = useTranslate()
  const { tone, icon: Icon, title } = view.is_tap_awaited ? TAP_AWAITED : audioStatusOf(view)
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
      <TurnLine turn={view.turn} />
      <ConnectionLine connection={view.connection} />
      {children}
    </section>
  )
}

/** Explains the state, below it. */
export function AudioStatusDetail({ view }: { view: RoomView }) {
  const t = useTranslate()
  const { tone, detail } = audioStatusOf(view)
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
