import { Button } from '../ui/Button.tsx'
import { Sheet } from '../ui/Sheet.tsx'
import { useWords } from '../words/language.ts'

type LeaveProps = { onLeave: () => void; onSignOut: () => void; onClose: () => void }

export function LeaveSheet({ onLeave, onSignOut, onClose }: LeaveProps) {
  const t = useWords()
  return (
    <Sheet title={t('leave.title')} onClose={onClose}>
      <Button look="main" icon="leave" onPress={onLeave}>
        {t('leave.leave')}
      </Button>
      <Button onPress={onSignOut}>{t('leave.sign_out')}</Button>
      <Button look="plain" onPress={onClose}>
        {t('leave.stay')}
      </Button>
    </Sheet>
  )
}
