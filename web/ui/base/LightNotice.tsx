import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './LightNotice.module.css'

type NoticeProps = {
  tone?: 'quiet' | 'brand' | 'good' | 'warn' | 'bad'
  icon: Icon
  title?: string
  role?: 'alert' | 'status'
  children?: ReactNode
}

export function LightNotice({ tone = 'quiet', icon: Icon, title, role, children }: NoticeProps) {
  return (
    <div className={classes.notice} data-tone={tone} role={role}>
      <Icon size="1.3em" aria-hidden="true" />
      <div>
        {title ? <p className={classes.title}>{title}</p> : null}
        {children}
      </div>
    </div>
  )
}
