import { IconRefresh } from '@tabler/icons-react'
import { Button } from '../../ui/base/Button.tsx'
import { LightNotice } from '../../ui/base/LightNotice.tsx'
import { useTranslate } from '../words/language.ts'

/** Never shown in a meeting. */
export function UpdateNotice() {
  const t = useTranslate()
  return (
    <LightNotice icon={IconRefresh} title={t('update.title')} role="status">
      <p>{t('update.detail')}</p>
      <Button onClick={() => window.location.reload()}>{t('update.button')}</Button>
    </LightNotice>
  )
}
