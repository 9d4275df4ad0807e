import { IconAlertTriangle } from '@tabler/icons-react'
import { Component, type ReactNode } from 'react'
import { Button } from '../ui/base/Button.tsx'
import { Outcome } from './ui/Screen.tsx'
import { useTranslate } from './words/language.ts'

/** Replaces a blank page after an error. */
export class CatchBroken extends Component<{ children: ReactNode }, { isBroken: boolean }> {
  override state = { isBroken: false }

  static getDerivedStateFromError() {
    return { isBroken: true }
  }

  override render() {
    return this.state.isBroken ? <Broken /> : this.props.children
  }
}

function Broken() {
  const t = useTranslate()
  return (
    <Outcome
      icon={IconAlertTriangle}
      tone="bad"
      title={t('app.broken_title')}
      text={t('app.broken')}
      actions={
        <Button look="filled" size="large" onClick={() => window.location.reload()}>
          {t('app.reload')}
        </Button>
      }
    />
  )
}
