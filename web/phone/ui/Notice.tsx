import type { ReactNode } from 'react'
import type { IconName } from './Icon.tsx'
import { Icon } from './Icon.tsx'
import classes from './Notice.module.css'

type NoticeProps = {
  tone?: 'plain' | 'good' | 'warn' | 'bad'
  icon: IconName
  title?: string
  role?: 'alert' | 'status'
  children?: ReactNode
}

export function Notice({ tone = 'plain', icon, title, role, children }: NoticeProps) {
  return (
    <div className={classes.notice} data-tone={tone} role={role}>
      <Icon name={icon} />
      <div>
        {title ? <p className={classes.title}>{title}</p> : null}
        {children}
      </div>
    </div>
  )
}
