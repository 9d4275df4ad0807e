import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './Facts.module.css'

/** A read-only list of labelled values. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className={classes.lines}>{children}</dl>
}

export function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        {children || children === 0 ? (
          children
        ) : (
          <Text span inherit c="dimmed">
            None
          </Text>
        )}
      </dd>
    </div>
  )
}
