import { scaleBand, scaleLinear } from '@visx/scale'
import { Bar } from '@visx/shape'
import classes from './chart.module.css'
import { useChartWidth } from './use-chart-width.ts'

type BarRowsProps = {
  rows: readonly { key: string; label: string; value: number; text: string }[]
  /** The width that labels take, in pixels. */
  labelWidth: number
}

const ROW = 28

/** Draws a bar for each row, with its label before it and its value behind it. The table beside it has the same numbers. */
export function BarRows({ rows, labelWidth }: BarRowsProps) {
  const { ref, width } = useChartWidth()
  const longest = Math.max(0, ...rows.map(({ text }) => text.length))
  const height = rows.length * ROW
  const y = scaleBand({ domain: rows.map(({ key }) => key), range: [0, height], padding: 0.28 })
  const x = scaleLinear<number>({
    domain: [0, Math.max(1, ...rows.map(({ value }) => value))],
    range: [0, Math.max(0, width - labelWidth - 16 - longest * 7)],
  })
  return (
    <div ref={ref} aria-hidden="true">
      {width > 0 ? (
        <svg className={classes.svg} width={width} height={height} aria-hidden="true">
          <line className={classes.axis} x1={labelWidth + 0.5} x2={labelWidth + 0.5} y1={0} y2={height} />
          {rows.map(({ key, label, value, text }) => {
            const top = y(key) ?? 0
            const middle = top + y.bandwidth() / 2
            const length = value > 0 ? Math.max(2, x(value)) : 0
            return (
              <g key={key}>
                <text className={classes.tick} x={labelWidth - 10} y={middle} dy="0.35em" textAnchor="end">
                  {label}
                </text>
                <Bar className={classes.bar} x={labelWidth + 1} y={top} width={length} height={y.bandwidth()} rx={3} />
                <text
                  className={value > 0 ? classes.value : classes.tick}
                  x={labelWidth + length + 8}
                  y={middle}
                  dy="0.35em"
                >
                  {text}
                </text>
              </g>
            )
          })}
        </svg>
      ) : null}
    </div>
  )
}
