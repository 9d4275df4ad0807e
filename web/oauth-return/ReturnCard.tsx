import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import { type ReactNode, useEffect } from 'react'
import { BrandMark } from '../ui/BrandMark.tsx'
import classes from './ReturnCard.module.css'

type ReturnCardProps = { tone: 'good' | 'bad'; title: string; children: ReactNode; actions: ReactNode }

/** The one sheet of a page that Zoom returns to. */
export function ReturnCard({ tone, title, children, actions }: ReturnCardProps) {
  useEffect(() => {
    document.title = `${title} · Parley`
  }, [title])

  return (
    <main className={classes.page}>
      <BrandMark />
      <div className={classes.card} role={tone === 'bad' ? 'alert' : 'status'}>
        <span className={classes.disc} data-tone={tone}>
          {tone === 'good' ? (
            <IconCheck size={26} stroke={2} aria-hidden="true" />
          ) : (
            <IconAlertTriangle size={26} stroke={1.75} aria-hidden="true" />
          )}
        </span>
        <h1 className={classes.title}>{title}</h1>
        <div className={classes.text}>{children}</div>
        <div className={classes.actions}>{actions}</div>
      </div>
    </main>
  )
}
