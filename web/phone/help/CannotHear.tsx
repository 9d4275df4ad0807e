import { IconMicrophone, IconMicrophoneOff, IconRefresh, IconVolume, IconX } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../../ui/base/Button.tsx'
import { microphonePermission, type Permission } from '../lobby/microphone.ts'
import { SaveReport } from '../report/SaveReport.tsx'
import { HelplineLink } from '../room/HostMessage.tsx'
import screen from '../ui/Screen.module.css'
import { useTranslate } from '../words/language.ts'
import classes from './help.module.css'
import { playTone } from './tone.ts'

type CannotHearProps = {
  helpline: string | null
  /** Only in the room: leaves the meeting's sound and rejoins it. */
  onRejoin?: () => void
}

export function CannotHear({ helpline, onRejoin }: CannotHearProps) {
  const t = useTranslate()
  const [permission, setPermission] = useState<Permission>('unknown')
  const [isRejoined, setRejoined] = useState(false)
  useEffect(() => {
    let isShown = true
    void microphonePermission().then((state) => {
      if (isShown) setPermission(state)
    })
    return () => {
      isShown = false
    }
  }, [])
  const Microphone = permission === 'denied' ? IconMicrophoneOff : IconMicrophone
  return (
    <div className="stack">
      <section className={screen.card}>
        <h2>{t('hear.tone_title')}</h2>
        <Tone />
        <p>{t('hear.tone_hint')}</p>
      </section>
      <section className={screen.card}>
        <h2>{t('hear.volume_title')}</h2>
        <ul className="marked">
          <li>{t('hear.volume')}</li>
          <li>{t('hear.silent_switch')}</li>
          <li>{t('hear.bluetooth')}</li>
        </ul>
      </section>
      <section className={screen.card}>
        <h2>{t('hear.join_title')}</h2>
        <p>{t(onRejoin ? 'hear.join_audio' : 'hear.join_audio_later')}</p>
        {onRejoin ? (
          <Button
            icon={IconRefresh}
            onClick={() => {
              setRejoined(true)
              onRejoin()
            }}
          >
            {t('hear.rejoin')}
          </Button>
        ) : null}
        <p role="status">{isRejoined ? t('hear.rejoined') : ''}</p>
      </section>
      <section className={screen.card}>
        <h2>{t('hear.microphone_title')}</h2>
        <p className={classes.line}>
          <Microphone size="1.4em" aria-hidden="true" />
          <span>{t(`hear.microphone_${permission}`)}</span>
        </p>
      </section>
      <section className={screen.card}>
        <h2>{t('hear.helpline_title')}</h2>
        <p>{t(helpline ? 'hear.helpline' : 'hear.no_helpline')}</p>
        {helpline ? <HelplineLink helpline={helpline} /> : null}
      </section>
      <SaveReport />
    </div>
  )
}

function Tone() {
  const t = useTranslate()
  const [state, setState] = useState<'off' | 'playing' | 'failed'>('off')
  const stop = useRef(() => {})
  useEffect(() => () => stop.current(), [])

  function toggle() {
    if (state === 'playing') {
      stop.current()
      return
    }
    try {
      stop.current = playTone(() => setState('off'))
      setState('playing')
    } catch {
      setState('failed')
    }
  }

  return (
    <>
      <Button icon={state === 'playing' ? IconX : IconVolume} onClick={toggle}>
        {t(state === 'playing' ? 'hear.tone_stop' : 'hear.tone')}
      </Button>
      <p role="status" className={classes.playing}>
        {state === 'playing' ? (
          <>
            <span className={classes.waves} aria-hidden="true">
              <i />
              <i />
              <i />
              <i />
            </span>
            {t('hear.tone_playing')}
          </>
        ) : null}
        {state === 'failed' ? t('hear.tone_failed') : null}
      </p>
    </>
  )
}
