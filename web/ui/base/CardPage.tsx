import { IconAlertTriangle, IconCheck, IconHelp } from '@tabler/icons-react'
import { type ReactNode, useEffect } from 'react'
import { BrandMark } from './BrandMark.tsx'
import classes from './CardPage.module.css'

type CardPageProps = { tone: 'good' | 'bad' | 'ask'; title: string; children: ReactNode; actions: ReactNode }

const ICONS = { good: IconCheck, bad: IconAlertTriangle, ask: IconHelp }
const ROLES = { good: 'status', bad: 'alert', ask: undefined }

/** A page with a single card: a result or a question, and the ways to go on. */
export function CardPage({ tone, title, children, actions }: CardPageProps) {
  useEffect(() => {
    document.title = `${title} · Parley`
  }, [title])

  const Icon = ICONS[tone]
  return (
    <main className={classes.page}>
      <BrandMark />
      <div className={classes.card} role={ROLES[tone]}>
        <span className={classes.disc} data-tone={tone === 'ask' ? 'brand' : tone}>
          <Icon size={26} stroke={1.75} aria-hidden="true" />
        </span>
        <h1>{title}</h1>
        {children}
        <div className={classes.actions}>{actions}</div>
      </div>
    </main>
  )
}
