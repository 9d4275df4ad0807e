import { useState } from 'react'
import { CannotHear } from '../help/CannotHear.tsx'
import { KeepScreenOn } from '../help/KeepScreenOn.tsx'
import { HowToAllow } from '../lobby/HowToAllow.tsx'
import { Button } from '../ui/Button.tsx'
import { LanguageSelect, NotReviewed } from '../ui/LanguageSelect.tsx'
import { useTitle } from '../ui/Screen.tsx'
import { useWords } from '../words/language.ts'
import classes from './RoomScreen.module.css'
import type { RoomView } from './room-session.ts'

type RoomHelpProps = { view: RoomView; onRejoin: () => void; onBack: () => void }

/** Below the meeting, which stays in sight. */
export function RoomHelp({ view: { login, sound }, onRejoin, onBack }: RoomHelpProps) {
  const t = useWords()
  const [page, setPage] = useState<'hear' | 'screen'>('hear')
  const heading = useTitle(t(`${page}.title`))
  const back = (
    <Button icon="back" onPress={onBack}>
      {t('room.back')}
    </Button>
  )
  return (
    <section className={classes.column}>
      {back}
      <h2 ref={heading} tabIndex={-1} className={classes.heading}>
        {t(`${page}.title`)}
      </h2>
      {page === 'hear' ? (
        <>
          {sound.microphone === 'refused' ? <HowToAllow /> : null}
          <CannotHear helpline={login.app.helpline} onRejoin={onRejoin} />
          <Button icon="screen" onPress={() => setPage('screen')}>
            {t('lobby.screen')}
          </Button>
          <LanguageSelect />
          <NotReviewed />
        </>
      ) : (
        <KeepScreenOn />
      )}
      {back}
    </section>
  )
}
