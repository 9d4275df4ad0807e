import { IconClock, IconWifiOff } from '@tabler/icons-react'
import { Button } from '../ui/base/Button.tsx'
import { Outcome } from './ui/Screen.tsx'
import { useTranslate } from './words/language.ts'

/** Shown while the kept session is restored, or when the server does not respond. */
export function Opening({ isOffline, onTryAgain }: { isOffline: boolean; onTryAgain: () => void }) {
  const t = useTranslate()
  if (!isOffline) return <Outcome key="loading" icon={IconClock} title={t('app.loading')} actions={null} />
  return (
    <Outcome
      key="offline"
      icon={IconWifiOff}
      tone="warn"
      title={t('app.offline_title')}
      text={t('app.offline')}
      actions={
        <Button look="filled" size="large" onClick={onTryAgain}>
          {t('app.try_again')}
        </Button>
      }
    />
  )
}
