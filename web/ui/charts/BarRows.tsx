import { Bar } from '@visx/shape'
import { Fragment, type ReactNode } from 'react'
import bars from './BarRows.module.css'
import classes from './chart.module.css'

type BarRowsProps = { rows: readonly { key: string; label: ReactNode; value: number; text: string }[] }

/** Draws a bar for each row, with its label before it and its value behind it. The table beside it has the same numbers. */
export function BarRows({ rows }: BarRowsProps) {
  const highest = Math.max(1, ...rows.map(({ value }) => value))
  const longest = Math.max(...rows.map(({ text }) => text.length))
  return (
    <div className={bars.rows} aria-hidden="true">
      {rows.map(({ key, label, value, text }) => (
        <Fragment key={key}>
          <div className={bars.label}>{label}</div>
          <div className={bars.track}>
            <svg
              height="20"
              className={bars.bar}
              style={{ width: `calc((100% - 0.5rem - ${longest}ch) * ${value / highest})` }}
              data-some={value > 0 || undefined}
              aria-hidden="true"
            >
              <Bar className={classes.bar} width="100%" height="100%" rx={3} />
            </svg>
            <span className={value > 0 ? undefined : bars.none}>{text}</span>
          </div>
        </Fragment>
      ))}
    </div>
  )
}
