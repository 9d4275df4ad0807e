import type { ReactNode } from 'react'
import card from './StatCard.module.css'
import type { StatTone } from './StatCard.tsx'
import classes from './StatFilter.module.css'

type StatFilterProps = {
  label: string
  value: number
  icon: ReactNode
  tone?: StatTone
  pressed: boolean
  onPress: () => void
}

/** A number of a page that shows, when it is pressed, those whom it counts. Stand several in a `StatRow`. */
export function StatFilter({ label, value, icon, tone = 'brand', pressed, onPress }: StatFilterProps) {
  return (
    <button type="button" className={`${card.card} ${classes.filter}`} aria-pressed={pressed} onClick={onPress}>
      <span className={card.icon} data-tone={tone} aria-hidden="true">
        {icon}
      </span>
      <span className={card.words}>
        <span className={card.label}>{label}</span>
        <span className={card.value}>{value}</span>
      </span>
    </button>
  )
}
