import { IconLogout } from '@tabler/icons-react'
import { Button } from '../../ui/base/Button.tsx'
import { Sheet } from '../ui/Sheet.tsx'
import { useTranslate } from '../words/language.ts'

type LeaveProps = { onLeave: () => void; onSignOut: () => void; onClose: () => void }

export function LeaveSheet({ onLeave, onSignOut, onClose }: LeaveProps) {
  const t = useTranslate()
  return (
    <Sheet title={t('leave.title')} onClose={onClose}>
      <Button look="filled" size="large" icon={IconLogout} onClick={onLeave}>
        {t('leave.leave')}
      </Button>
      <Button onClick={onSignOut}>{t('leave.sign_out')}</Button>
      <Button look="plain" onClick={onClose}>
        {t('leave.stay')}
      </Button>
    </Sheet>
  )
}
