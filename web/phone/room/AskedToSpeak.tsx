import { useEffect, useId, useRef } from 'react'
import { Button } from '../ui/Button.tsx'
import { Icon } from '../ui/Icon.tsx'
import { Notice } from '../ui/Notice.tsx'
import { useWords } from '../words/language.ts'
import classes from './AskedToSpeak.module.css'
import { whyNotSpeak } from './own-state.ts'
import { useActs } from './RoomActions.tsx'
import type { RoomSession, RoomView } from './room-session.ts'

type AskedToSpeakProps = { view: RoomView; session: RoomSession; onNotNow: () => void }

/** Replaces the buttons. The microphone stays off until the tap. */
export function AskedToSpeak({ view, session, onNotNow }: AskedToSpeakProps) {
  const t = useWords()
  const id = useId()
  const { act, busy, failed } = useActs(session)
  const panel = useRef<HTMLDivElement>(null)
  const reason = whyNotSpeak(view)
  // Focuses the panel rather than its button: a key already pressed must not open the microphone.
  useEffect(() => panel.current?.focus({ preventScroll: true }), [])
  return (
    <div
      ref={panel}
      role="alertdialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      tabIndex={-1}
      className={classes.panel}
    >
      <div className={classes.words}>
        <h2 id={`${id}-title`}>
          <span className={classes.disc}>
            <Icon name="hand" size={1.2} />
          </span>
          <span className={classes.title}>{t('asked.title')}</span>
        </h2>
        <p id={`${id}-text`}>{t(reason ?? 'asked.detail')}</p>
        {failed ? (
          <Notice tone="bad" icon="alert" role="alert">
            <p>{t('app.failed')}</p>
          </Notice>
        ) : null}
      </div>
      <div className={classes.buttons}>
        <Button
          look="stop"
          icon="microphone"
          busy={busy === 'speak'}
          off={reason !== null}
          describedBy={`${id}-text`}
          onPress={() => act('speak')}
        >
          {t('room.speak')}
        </Button>
        <Button onPress={onNotNow}>{t('asked.not_now')}</Button>
      </div>
    </div>
  )
}
