import { IconAlertTriangle } from '@tabler/icons-react'
import { LightNotice } from '../../ui/base/LightNotice.tsx'
import { useTranslate } from '../words/language.ts'

/** Warns before a sign-in binds a phone that will not be recognised once its page is closed. */
export function StorageBlockedNotice() {
  const t = useTranslate()
  return (
    <LightNotice tone="warn" icon={IconAlertTriangle} title={t('signin.keeps_nothing_title')}>
      <p>{t('signin.keeps_nothing')}</p>
    </LightNotice>
  )
}
