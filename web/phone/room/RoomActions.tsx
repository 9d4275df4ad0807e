import { IconAlertTriangle, IconHandStop, IconMicrophone, IconMicrophoneOff } from '@tabler/icons-react'
import { useState } from 'react'
import { Button } from '../../ui/base/Button.tsx'
import { LightNotice } from '../../ui/base/LightNotice.tsx'
import { useTranslate } from '../words/language.ts'
import { buttonsOf, cannotSpeakReason } from './audio-status.ts'
import classes from './RoomActions.module.css'
import type { RoomSession, RoomView } from './room-session.ts'

type RoomActionsProps = { view: RoomView; session: RoomSession }
/** The look of the main button: Speak, or Raise your hand while the user is muted. */
const MAIN = { look: 'filled', size: 'large' } as const
type Act = 'speak' | 'stopSpeaking' | 'raiseHand' | 'lowerHand'

/** The buttons to speak and to request it, within reach of a thumb. */
export function RoomActions({ view, session }: RoomActionsProps) {
  const t = useTranslate()
  const { act, busy, failed } = useActs(session, view)
  const { state, sound } = view
  const reason = cannotSpeakReason(view)
  const isOpen = sound.microphone === 'on' && !state.is_muted
  const isHandUp = view.unsent_hand ?? state.wants_to_speak
  const queue = queueWords()

  return (
    <div className={classes.actions}>
      {failed ? (
        <LightNotice tone="bad" icon={IconAlertTriangle} role="alert">
          <p>{t('app.failed')}</p>
        </LightNotice>
      ) : null}
      <p role="status" className={classes.line}>
        {queue ? (
          <>
            <IconHandStop size="1.4em" aria-hidden="true" /> <b>{queue}</b>
          </>
        ) : null}
      </p>
      <div className={classes.buttons}>
        {isOpen ? (
          <Button
            look="strong"
            size="large"
            icon={IconMicrophoneOff}
            busy={busy === 'stopSpeaking'}
            onClick={() => act('stopSpeaking')}
          >
            {t('room.stop_speaking')}
          </Button>
        ) : (
          <Button
            look="filled"
            size="large"
            icon={IconMicrophone}
            off={reason !== null}
            busy={busy === 'speak'}
            note={reason ? t(reason) : undefined}
            onClick={() => act('speak')}
          >
            {t('room.speak')}
          </Button>
        )}
        {isHandUp ? (
          <Button icon={IconHandStop} busy={busy === 'lowerHand'} onClick={() => act('lowerHand')}>
            {t('room.lower')}
          </Button>
        ) : isOpen ? null : (
          <Button
            {...(reason && state.is_muted && MAIN)}
            icon={IconHandStop}
            busy={busy === 'raiseHand'}
            onClick={() => act('raiseHand')}
          >
            {t('room.ask')}
          </Button>
        )}
      </div>
    </div>
  )

  function queueWords() {
    if (isHandUp !== state.wants_to_speak) return t(isHandUp ? 'room.hand_up_unsent' : 'room.hand_down_unsent')
    if (view.unsent_no) return t('asked.answer_unsent')
    if (!state.wants_to_speak) return null
    const place = view.now?.queue_place
    if (!place) return t('room.hand_up')
    return place === 1 ? t('room.queue_next') : t('room.queue', { count: place })
  }
}

/** A failure is shown until the user or the host changes what the user may do. */
export function useActs(session: RoomSession, view: RoomView) {
  const [busy, setBusy] = useState<Act | null>(null)
  const [failedIn, setFailedIn] = useState<string | null>(null)
  if (failedIn !== null && failedIn !== choicesOf(view)) setFailedIn(null)

  async function act(name: Act) {
    setBusy(name)
    setFailedIn(null)
    try {
      await session[name]()
    } catch {
      setFailedIn(choicesOf(session.view))
    }
    setBusy(null)
  }
  return { act, busy, failed: failedIn !== null }
}

const choicesOf = (view: RoomView) => `${buttonsOf(view)} ${cannotSpeakReason(view)}`
