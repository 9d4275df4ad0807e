import { IconArrowLeft, IconDeviceMobile } from '@tabler/icons-react'
import { useState } from 'react'
import { Button } from '../../ui/base/Button.tsx'
import { CannotHear } from '../help/CannotHear.tsx'
import { KeepScreenOn } from '../help/KeepScreenOn.tsx'
import { HowToAllow } from '../lobby/HowToAllow.tsx'
import { LanguageSelect, NotReviewed } from '../ui/LanguageSelect.tsx'
import { useTitle } from '../ui/Screen.tsx'
import { useTranslate } from '../words/language.ts'
import classes from './RoomScreen.module.css'

type RoomHelpProps = {
  first: 'hear' | 'allow'
  helpline: string | null
  onRejoin: () => void
  onBack: () => void
}

/** Shown below the meeting, which stays visible. */
export function RoomHelp({ first, helpline, onRejoin, onBack }: RoomHelpProps) {
  const t = useTranslate()
  const [page, setPage] = useState<'hear' | 'allow' | 'screen'>(first)
  const title = t(page === 'allow' ? 'room.how_to_allow' : `${page}.title`)
  const heading = useTitle(title)
  const back = (
    <Button icon={IconArrowLeft} onClick={onBack}>
      {t('room.back')}
    </Button>
  )
  return (
    <section className="stack">
      {back}
      <h2 ref={heading} tabIndex={-1} className={classes.heading}>
        {title}
      </h2>
      {page === 'allow' ? <HowToAllow /> : null}
      {page === 'screen' ? <KeepScreenOn /> : null}
      {page === 'hear' ? (
        <>
          <CannotHear helpline={helpline} onRejoin={onRejoin} />
          <Button icon={IconDeviceMobile} onClick={() => setPage('screen')}>
            {t('lobby.screen')}
          </Button>
          <LanguageSelect />
          <NotReviewed />
        </>
      ) : null}
      {back}
    </section>
  )
}
