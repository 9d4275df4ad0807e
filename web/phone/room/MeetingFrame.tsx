import { IconArrowsDiagonal, IconArrowsDiagonalMinimize2, IconHeadphones } from '@tabler/icons-react'
import { type Ref, useEffect, useId, useRef, useState } from 'react'
import { Button } from '../../ui/base/Button.tsx'
import { useTranslate } from '../words/language.ts'
import { isZoomWatched, mustTapJoinAudio } from './audio-status.ts'
import classes from './MeetingFrame.module.css'
import type { RoomView } from './room-session.ts'

type MeetingFrameProps = { sound: RoomView['sound']; container: Ref<HTMLDivElement> }

/** Zoom's own window. It stays visible while the meeting is joined: users must see its notices and tap in it. */
export function MeetingFrame({ sound, container }: MeetingFrameProps) {
  const t = useTranslate()
  const id = useId()
  const mustTap = mustTapJoinAudio(sound)
  const isWatched = isZoomWatched(sound)
  const [size, setSize] = useState({ isWatched, isLarge: isWatched })
  if (size.isWatched !== isWatched) setSize({ isWatched, isLarge: isWatched })
  const { isLarge } = size
  const wasWatched = useRef(isWatched)
  useEffect(() => {
    if (wasWatched.current === isWatched) return
    wasWatched.current = isWatched
    requestAnimationFrame(() => window.scrollTo(0, 0)) // its height has changed
  }, [isWatched])
  return (
    <section className={classes.meeting} aria-labelledby={id} data-joined={sound.audio !== 'off'}>
      <div className={classes.head}>
        <h2 id={id}>{t('room.meeting')}</h2>
        <Button
          look="plain"
          size="small"
          icon={isLarge ? IconArrowsDiagonalMinimize2 : IconArrowsDiagonal}
          onClick={() => setSize({ isWatched, isLarge: !isLarge })}
        >
          {t(isLarge ? 'room.smaller' : 'room.larger')}
        </Button>
      </div>
      <p role="status" className={classes.tap}>
        {mustTap ? (
          <>
            <span>{t('room.join_audio')}</span>
            <span className={classes.button} aria-hidden="true">
              <IconHeadphones size="1.1em" aria-hidden="true" /> <bdi>{t('room.zoom_join_audio')}</bdi>
            </span>
          </>
        ) : null}
      </p>
      <div ref={container} className={classes.frame} data-large={isLarge || undefined} />
    </section>
  )
}
