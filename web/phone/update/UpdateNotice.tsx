import { Button } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'
import { useWords } from '../words/language.ts'

/** Never shown in a meeting. */
export function UpdateNotice() {
  const t = useWords()
  return (
    <Notice icon="refresh" title={t('update.title')} role="status">
      <p>{t('update.detail')}</p>
      <Button onPress={() => window.location.reload()}>{t('update.button')}</Button>
    </Notice>
  )
}
