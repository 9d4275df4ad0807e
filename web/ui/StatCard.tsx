import { Paper, Skeleton, Stack, Text, ThemeIcon } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import classes from './StatCard.module.css'
import type { Tone } from './theme.ts'

type StatCardProps = {
  label: string
  /** Null while it is loading. */
  value: ReactNode
  icon?: ReactNode
  tone?: Tone
  hint?: ReactNode
  /** Makes the card a link to the page about its number. */
  to?: string
  /** Makes the card a button that filters a list. */
  choice?: { pressed: boolean; onPress: () => void }
}

/** A number of a page. Put several in a `StatRow`. */
export function StatCard({ label, value, icon, tone = 'brand', hint, to, choice }: StatCardProps) {
  const content = (
    <>
      {icon ? (
        <ThemeIcon className={classes.icon} color={tone} aria-hidden="true">
          {icon}
        </ThemeIcon>
      ) : null}
      <Stack component="span" gap={0} miw={0}>
        <Text component="span" size="xs" c="dimmed" lh={1.3}>
          {label}
        </Text>
        <span className={classes.value}>
          {(typeof value === 'number' ? value.toLocaleString('en') : value) ?? (
            <Skeleton component="span" display="inline-block" w={36} h={14} animate={false} />
          )}
        </span>
        {hint ? (
          <Text component="span" fz={12} c="dimmed">
            {hint}
          </Text>
        ) : null}
      </Stack>
    </>
  )
  if (to) {
    return (
      <Paper component={Link} to={to} className={classes.card}>
        {content}
      </Paper>
    )
  }
  if (!choice) return <Paper className={classes.card}>{content}</Paper>
  return (
    <Paper
      component="button"
      type="button"
      className={classes.card}
      aria-pressed={choice.pressed}
      onClick={choice.onPress}
    >
      {content}
    </Paper>
  )
}

export function StatRow({ children, narrow }: { children: ReactNode; narrow?: 'one-column' | 'three-columns' }) {
  return (
    <div className={classes.row} data-narrow={narrow}>
      {children}
    </div>
  )
}
