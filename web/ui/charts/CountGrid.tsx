import type { scaleLinear } from '@visx/scale'
import classes from './chart.module.css'

type CountGridProps = {
  scale: ReturnType<typeof scaleLinear<number>>
  /** Roughly so many lines, each at a whole number. */
  ticks: number
  left: number
  right: number
}

/** Draws the level lines of counts, each with its number before it. */
export function CountGrid({ scale, ticks, left, right }: CountGridProps) {
  return scale
    .ticks(ticks)
    .filter(Number.isInteger)
    .map((tick) => (
      <g key={tick}>
        <line
          className={tick === 0 ? classes.axis : classes.grid}
          x1={left}
          x2={right}
          y1={scale(tick)}
          y2={scale(tick)}
        />
        <text className={classes.tick} x={left - 8} y={scale(tick)} dy="0.35em" textAnchor="end">
          {tick}
        </text>
      </g>
    ))
}
