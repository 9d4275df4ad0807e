import { type ReactNode, useEffect } from 'react'
import classes from './Page.module.css'

type PageProps = { title: string; subtitle?: ReactNode; actions?: ReactNode; children: ReactNode }

/** One screen of a panel: its heading, what can be done with the whole of it, and its content. */
export function Page({ title, subtitle, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Parley`
  }, [title])

  return (
    <div className={classes.page}>
      <header className={classes.head}>
        <div className={classes.words}>
          <h1 className={classes.title}>{title}</h1>
          {subtitle ? <p className={classes.subtitle}>{subtitle}</p> : null}
        </div>
        {actions ? <div className={classes.actions}>{actions}</div> : null}
      </header>
      {children}
    </div>
  )
}
