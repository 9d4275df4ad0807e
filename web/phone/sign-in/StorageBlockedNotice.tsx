import { IconAlertTriangle } from '@tabler/icons-react'
import { Notice } from '../../ui/base/Notice.tsx'
import { useTranslate } from '../words/language.ts'

/** Warns before a sign-in binds a phone that will not be recognised once its page is closed. */
export function StorageBlockedNotice() {
  const t = useTranslate()
  return (
    <Notice tone="warn" icon={IconAlertTriangle} title={t('signin.keeps_nothing_title')}>
      <p>{t('signin.keeps_nothing')}</p>
    </Notice>
  )
}
