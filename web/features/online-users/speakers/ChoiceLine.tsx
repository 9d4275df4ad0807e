import { Anchor, Group, type GroupProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { useState } from 'react'
import classes from './turns.module.css'

type ChoiceLineProps = GroupProps & {
  icon: ReactNode
  /** The present choice. */
  words: string
  changeLabel: string
  /** The fields that change it. */
  children: ReactNode
}

/** A line below the queue that says a choice of the room's, and opens its fields. */
export function ChoiceLine({ icon, words, changeLabel, children, ...layout }: ChoiceLineProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Group gap="0.375rem 0.625rem" flex="none" px={18} fz={12} c="dimmed" {...layout}>
      {icon}
      {isOpen ? children : <span>{words}</span>}
      <Anchor
        component="button"
        type="button"
        fz="inherit"
        className={classes.change}
        aria-expanded={isOpen}
        aria-label={isOpen ? undefined : changeLabel}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? 'Done' : 'Change'}
      </Anchor>
    </Group>
  )
}
