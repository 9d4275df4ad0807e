import type { ReactNode } from 'react'
import classes from './StatCard.module.css'

export type StatTone = 'brand' | 'good' | 'warn' | 'bad' | 'quiet'

type StatCardProps = {
  label: string
  /** Null while it is not known yet. */
  value: ReactNode
  icon?: ReactNode
  tone?: StatTone
  hint?: ReactNode
  /** The card is a button that chooses what it counts; pressed while that is chosen. */
  choice?: { pressed: boolean; onPress: () => void }
}

/** One number of a page. Stand several in a `StatRow`. */
export function StatCard({ label, value, icon, tone = 'brand', hint, choice }: StatCardProps) {
  return (
    <div className={classes.card} data-pressed={choice?.pressed || undefined}>
      {icon ? (
        <span className={classes.icon} data-tone={tone} aria-hidden="true">
          {icon}
        </span>
      ) : null}
      <dl className={classes.words}>
        <dt className={classes.label}>
          {choice ? (
            <button type="button" className={classes.choice} aria-pressed={choice.pressed} onClick={choice.onPress}>
              {label}
            </button>
          ) : (
            label
          )}
        </dt>
        <dd className={classes.value}>{value ?? <span className={classes.unknown} />}</dd>
        {hint ? <dd className={classes.hint}>{hint}</dd> : null}
      </dl>
    </div>
  )
}

export function StatRow({ children }: { children: ReactNode }) {
  return <div className={classes.row}>{children}</div>
}
