import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { LightNotice } from '../../ui/base/LightNotice.tsx'
import { useTranslate } from '../words/language.ts'
import type { WordKey } from '../words/words.ts'

export function ProblemNotice({ words, children }: { words: WordKey; children?: ReactNode }) {
  const t = useTranslate()
  return (
    <LightNotice tone="bad" icon={IconAlertTriangle} role="alert">
      <p>{t(words)}</p>
      {children}
    </LightNotice>
  )
}
