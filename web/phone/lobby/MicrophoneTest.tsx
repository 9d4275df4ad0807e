import { IconAlertTriangle, IconCheck, IconMicrophone, IconMicrophoneOff, IconVolume } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../../ui/base/Button.tsx'
import { LightNotice } from '../../ui/base/LightNotice.tsx'
import { SaveReport } from '../report/SaveReport.tsx'
import { Level } from '../ui/Level.tsx'
import { Screen } from '../ui/Screen.tsx'
import { useTranslate } from '../words/language.ts'
import { HowToAllow } from './HowToAllow.tsx'
import { MicrophoneError, type MicrophoneFault } from './microphone.ts'
import { recordAndPlay } from './record.ts'

type Step = 'ready' | 'asking' | 'recording' | 'playing' | 'heard' | 'silent' | MicrophoneFault

/** A voice near the phone is far above this level, a quiet room below it. */
const HEARD_LEVEL = 0.3

export function MicrophoneTest({ onBack }: { onBack: () => void }) {
  const t = useTranslate()
  const [step, setStep] = useState<Step>('ready')
  const [level, setLevel] = useState(0)
  const leaving = useRef<AbortController>(null)
  useEffect(() => () => leaving.current?.abort(), [])

  async function test() {
    leaving.current = new AbortController()
    const { signal } = leaving.current
    setStep('asking')
    try {
      const loudest = await recordAndPlay({
        onRecording: () => setStep('recording'),
        onLevel: setLevel,
        onPlaying: () => setStep('playing'),
        signal,
      })
      setStep(loudest >= HEARD_LEVEL ? 'heard' : 'silent')
    } catch (error) {
      if (!signal.aborted) setStep(error instanceof MicrophoneError ? error.fault : 'failed')
    }
  }

  const isBusy = step === 'asking' || step === 'recording' || step === 'playing'
  return (
    <Screen
      title={t('test.title')}
      onBack={onBack}
      actions={
        <Button look="filled" size="large" icon={IconMicrophone} off={isBusy} onClick={test}>
          {t(step === 'ready' || isBusy ? 'test.start' : 'test.again')}
        </Button>
      }
    >
      <p>{t('test.intro')}</p>
      <div role="status">
        <Outcome step={step} />
      </div>
      {step === 'refused' ? <HowToAllow /> : <Level label={t('test.level')} level={step === 'recording' ? level : 0} />}
      <SaveReport />
    </Screen>
  )
}

function Outcome({ step }: { step: Step }) {
  const t = useTranslate()
  switch (step) {
    case 'ready':
      return null
    case 'asking':
    case 'recording':
    case 'playing':
      return <LightNotice icon={step === 'playing' ? IconVolume : IconMicrophone} title={t(`test.${step}`)} />
    case 'heard':
      return <LightNotice tone="good" icon={IconCheck} title={t('test.heard')} />
    case 'silent':
    case 'insecure':
    case 'failed':
      return (
        <LightNotice tone="warn" icon={IconAlertTriangle}>
          <p>{t(`test.${step}`)}</p>
        </LightNotice>
      )
    default:
      return (
        <LightNotice tone="warn" icon={IconMicrophoneOff} title={t(`test.${step}_title`)}>
          <p>{t(`test.${step}`)}</p>
        </LightNotice>
      )
  }
}
