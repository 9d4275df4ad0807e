import { IconAlertTriangle, IconHandStop, IconMicrophone } from '@tabler/icons-react'
import { useEffect, useId, useRef } from 'react'
import { Button } from '../../ui/base/Button.tsx'
import { LightNotice } from '../../ui/base/LightNotice.tsx'
import { useTranslate } from '../words/language.ts'
import classes from './AskedToSpeak.module.css'
import { cannotSpeakReason } from './audio-status.ts'
import { useActs } from './RoomActions.tsx'
import type { RoomSession, RoomView } from './room-session.ts'

type AskedToSpeakProps = { view: RoomView; session: RoomSession; onNotNow: () => void }

/** Replaces the buttons. The microphone stays off until the tap. */
export function AskedToSpeak({ view, session, onNotNow }: AskedToSpeakProps) {
  const t = useTranslate()
  const id = useId()
  const { act, busy, failed } = useActs(session, view)
  const panel = useRef<HTMLDivElement>(null)
  const reason = cannotSpeakReason(view)
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
            <IconHandStop size="1.2em" aria-hidden="true" />
          </span>
          <span className={classes.title}>{t('asked.title')}</span>
        </h2>
        <p id={`${id}-text`}>{t(reason ?? 'asked.detail')}</p>
        {failed ? (
          <LightNotice tone="bad" icon={IconAlertTriangle} role="alert">
            <p>{t('app.failed')}</p>
          </LightNotice>
        ) : null}
      </div>
      <div className={classes.buttons}>
        <Button
          look="strong"
          size="large"
          icon={IconMicrophone}
          busy={busy === 'speak'}
          off={reason !== null}
          aria-describedby={`${id}-text`}
          onClick={() => act('speak')}
        >
          {t('room.speak')}
        </Button>
        <Button onClick={onNotNow}>{t('asked.not_now')}</Button>
      </div>
    </div>
  )
}
