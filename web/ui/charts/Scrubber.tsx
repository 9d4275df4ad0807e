import { type KeyboardEvent, type PointerEvent, type ReactNode, useState } from 'react'
import classes from './Scrubber.module.css'

type ScrubberProps = {
  label: string
  count: number
  /** The points that an arrow key passes; a grid has several to a column. */
  across?: number
  /** The point under the pointer, or null beside all of them. */
  pointAt: (x: number, y: number) => number | null
  textOf: (point: number) => string
  /** Shown while no point is chosen. */
  legend: ReactNode
  children: (point: number | null) => ReactNode
}

/** Reads a chart point by point, with the pointer or, as a slider, with the keys. */
export function Scrubber({ label, count, across = 1, pointAt, textOf, legend, children }: ScrubberProps) {
  const [chosen, setChosen] = useState<number | null>(null)
  const point = chosen !== null && chosen < count ? chosen : null
  const follow = ({ currentTarget, clientX, clientY }: PointerEvent) => {
    const { left, top } = currentTarget.getBoundingClientRect()
    setChosen(pointAt(clientX - left, clientY - top))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const next = pointAfter(event.key, point ?? count - 1, count, across)
    if (event.key === 'Escape') setChosen(null)
    if (next === null) return
    event.preventDefault()
    setChosen(next)
  }
  return (
    <>
      <div className={classes.head}>
        <span className={classes.legend}>{legend}</span>
        <span className={classes.readout} aria-hidden="true">
          {point === null ? null : textOf(point)}
        </span>
      </div>
      <div
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={count - 1}
        aria-valuenow={point ?? count - 1}
        aria-valuetext={textOf(point ?? count - 1)}
        className={classes.slider}
        onPointerDown={follow}
        onPointerMove={follow}
        onPointerLeave={() => setChosen(null)}
        onFocus={(event) => {
          if (event.currentTarget.matches(':focus-visible')) setChosen((now) => now ?? count - 1)
        }}
        onBlur={() => setChosen(null)}
        onKeyDown={onKeyDown}
      >
        {children(point)}
      </div>
    </>
  )
}

function pointAfter(key: string, point: number, count: number, across: number): number | null {
  const to: Record<string, number> = {
    ArrowRight: point + across,
    ArrowLeft: point - across,
    ArrowDown: across === 1 ? point - 1 : point + 1,
    ArrowUp: across === 1 ? point + 1 : point - 1,
    PageUp: point - 7 * across,
    PageDown: point + 7 * across,
    Home: 0,
    End: count - 1,
  }
  const next = to[key]
  return next === undefined ? null : Math.min(Math.max(next, 0), count - 1)
}
