import { scaleLinear } from '@visx/scale'
import { Bar } from '@visx/shape'
import type { ReactNode } from 'react'
import { CountGrid } from './CountGrid.tsx'
import classes from './chart.module.css'
import { Scrubber } from './Scrubber.tsx'
import { useChartWidth } from './use-chart-width.ts'

type ColumnsProps = {
  label: string
  /** Even steps of time. A step may have a name below it; names that find no room are left out. */
  steps: readonly { key: string; count: number; name: string | null }[]
  textOf: (step: number) => string
  legend: ReactNode
  /** The height of the columns, in pixels. */
  height?: number
}

const TICKS = 24
/** The least room for a name, in pixels. */
const NAME_WIDTH = 58
const WIDEST = 28

/** Draws a column for each step. The sentence and the table beside it have the same numbers. */
export function Columns({ label, steps, textOf, legend, height = 176 }: ColumnsProps) {
  const { ref, width } = useChartWidth()
  const highest = Math.max(1, ...steps.map(({ count }) => count))
  const left = 14 + String(highest).length * 8
  const inner = Math.max(0, width - left - 2)
  const step = inner / steps.length
  const thickness = Math.min(WIDEST, Math.max(2, step * 0.7))
  const y = scaleLinear<number>({ domain: [0, highest], range: [height, 8], nice: height > 100 ? 4 : 2 })
  const middle = (index: number) => left + (index + 0.5) * step

  return (
    <Scrubber
      label={label}
      count={steps.length}
      pointAt={(px) => {
        const index = Math.floor((px - left) / step)
        return index >= 0 && index < steps.length ? index : null
      }}
      textOf={textOf}
      legend={legend}
    >
      {(chosen) => (
        <div ref={ref} style={{ minHeight: height + TICKS }}>
          {width > 0 ? (
            <svg className={classes.svg} width={width} height={height + TICKS} aria-hidden="true">
              <CountGrid scale={y} ticks={height > 100 ? 4 : 2} left={left} right={width} />
              {steps.map(({ key, count }, index) =>
                count > 0 ? (
                  <Bar
                    key={key}
                    className={classes.bar}
                    x={middle(index) - thickness / 2}
                    width={thickness}
                    y={y(count)}
                    height={height - y(count)}
                    rx={2}
                    opacity={chosen === null || chosen === index ? 1 : 0.45}
                  />
                ) : null,
              )}
              {namesOf(steps, inner).map(({ index, name }) => (
                <text key={index} className={classes.tick} x={middle(index)} y={height + TICKS - 4} textAnchor="middle">
                  {name}
                </text>
              ))}
            </svg>
          ) : null}
        </div>
      )}
    </Scrubber>
  )
}

/** Leaves out names evenly until the others have room. */
function namesOf(steps: ColumnsProps['steps'], width: number): { index: number; name: string }[] {
  const named = steps.flatMap(({ name }, index) => (name === null ? [] : [{ index, name }]))
  const room = Math.max(1, Math.floor(width / NAME_WIDTH))
  const every = Math.ceil(named.length / room)
  return named.filter((_name, index) => (named.length - 1 - index) % every === 0)
}
