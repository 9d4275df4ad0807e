import { type Ref, useEffect, useId, useRef, useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { Icon } from '../ui/Icon.tsx'
import { useWords } from '../words/language.ts'
import classes from './MeetingFrame.module.css'
import type { RoomView } from './room-session.ts'

type MeetingFrameProps = { sound: RoomView['sound']; container: Ref<HTMLDivElement> }

/** Zoom's own window. It stays in sight while the meeting is joined: its notices must be seen, and its tap is needed. */
export function MeetingFrame({ sound: { audio, trouble }, container }: MeetingFrameProps) {
  const t = useWords()
  const id = useId()
  const [isLarge, setLarge] = useState(false)
  const isJoined = audio !== 'off'
  const needsTap = audio === 'joining' && !trouble
  const section = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!needsTap) return
    // After a screen that has just opened went to its top.
    const frame = requestAnimationFrame(() => section.current?.scrollIntoView({ block: 'nearest' }))
    return () => cancelAnimationFrame(frame)
  }, [needsTap])
  return (
    <section ref={section} className={classes.meeting} aria-labelledby={id} data-joined={isJoined}>
      <div className={classes.head}>
        <h2 id={id}>{t('room.meeting')}</h2>
        <Button look="plain" small icon={isLarge ? 'smaller' : 'larger'} onPress={() => setLarge(!isLarge)}>
          {t(isLarge ? 'room.smaller' : 'room.larger')}
        </Button>
      </div>
      <p role="status" className={classes.tap}>
        {needsTap ? (
          <>
            <Icon name="sound" /> <span>{t('room.join_audio')}</span>
          </>
        ) : null}
      </p>
      <div ref={container} className={classes.frame} data-large={isLarge || undefined} />
    </section>
  )
}
