import { curveStepAfter } from '@visx/curve'
import { scaleLinear } from '@visx/scale'
import { AreaClosed, Bar, LinePath } from '@visx/shape'
import { formatTime } from '../format-date.ts'
import { CountGrid } from './CountGrid.tsx'
import classes from './chart.module.css'
import { Key } from './Key.tsx'
import { Scrubber } from './Scrubber.tsx'
import { useChartWidth } from './use-chart-width.ts'

type TimePoint = { at: string; level: number; up?: number; down?: number }

type OverTimeProps = {
  label: string
  points: readonly TimePoint[]
  /** The level alone is drawn where there are no words for the changes. */
  words: { level: string; up?: string; down?: string }
  isSmall?: boolean
}

const [FULL, SMALL] = [176, 72]
const BARS = 44
const GAP = 14
const TICKS = 24
/** The least room for a time, in pixels. */
const TIME_WIDTH = 58
const TICKS_MIN = [1, 2, 5, 10, 15, 30, 60, 120, 180, 240, 360, 720]

/** Draws a level over time in even steps, with what was added and what was taken below it. */
export function OverTime({ label, points, words, isSmall = false }: OverTimeProps) {
  const area = isSmall ? SMALL : FULL
  const { ref, width } = useChartWidth()
  const highest = Math.max(1, ...points.map(({ level }) => level))
  const left = 14 + String(highest).length * 8
  const inner = Math.max(0, width - left - 2)
  const x = scaleLinear<number>({ domain: [0, points.length], range: [left, left + inner] })
  const y = scaleLinear<number>({ domain: [0, highest], range: [area, 8], nice: isSmall ? 2 : 4 })
  const bottom = words.up === undefined ? area : area + GAP + BARS
  const height = bottom + TICKS
  const most = Math.max(1, ...points.flatMap(({ up = 0, down = 0 }) => [up, down]))
  const half = scaleLinear<number>({ domain: [0, most], range: [0, BARS / 2 - 1] })
  const middle = area + GAP + BARS / 2
  const step = inner / points.length
  const line = [...points, ...points.slice(-1)].map(({ level }, index) => ({ level, index }))
  const thickness = Math.min(14, Math.max(1.5, step * 0.6))

  return (
    <Scrubber
      label={label}
      count={points.length}
      pointAt={(px) => {
        const index = Math.floor(x.invert(px))
        return index >= 0 && index < points.length ? index : null
      }}
      textOf={(index) => pointText(points[index], words)}
      legend={
        <>
          <Key shape="area" word={words.level} />
          {words.up ? <Key shape="up" word={words.up} /> : null}
          {words.down ? <Key shape="down" word={words.down} /> : null}
        </>
      }
    >
      {(chosen) => (
        <div ref={ref} style={{ minHeight: height }}>
          {width > 0 ? (
            <svg className={classes.svg} width={width} height={height} aria-hidden="true">
              <CountGrid scale={y} ticks={isSmall ? 2 : 4} left={left} right={width} />
              <AreaClosed
                className={classes.area}
                data={line}
                x={({ index }) => x(index)}
                y={({ level }) => y(level)}
                yScale={y}
                curve={curveStepAfter}
              />
              <LinePath
                className={classes.line}
                data={line}
                x={({ index }) => x(index)}
                y={({ level }) => y(level)}
                curve={curveStepAfter}
              />
              {words.up ? <line className={classes.grid} x1={left} x2={width} y1={middle} y2={middle} /> : null}
              {points.map(({ at, up = 0, down = 0 }, index) => {
                const barX = x(index) + (step - thickness) / 2
                return (
                  <g key={at}>
                    {up > 0 ? (
                      <Bar
                        className={classes.up}
                        x={barX}
                        width={thickness}
                        y={middle - 1 - half(up)}
                        height={half(up)}
                      />
                    ) : null}
                    {down > 0 ? (
                      <Bar className={classes.down} x={barX} width={thickness} y={middle + 1} height={half(down)} />
                    ) : null}
                  </g>
                )
              })}
              {ticksOf(points, inner).map(({ index, text }) => (
                <text
                  key={index}
                  className={classes.tick}
                  x={x(index)}
                  y={height - 4}
                  textAnchor={index === 0 ? 'start' : 'middle'}
                >
                  {text}
                </text>
              ))}
              {chosen === null ? null : (
                <>
                  <line className={classes.cursor} x1={x(chosen + 0.5)} x2={x(chosen + 0.5)} y1={0} y2={bottom + 2} />
                  <circle className={classes.dot} cx={x(chosen + 0.5)} cy={y(points[chosen]?.level ?? 0)} r={5} />
                </>
              )}
            </svg>
          ) : null}
        </div>
      )}
    </Scrubber>
  )
}

function pointText(point: TimePoint | undefined, words: OverTimeProps['words']): string {
  if (!point) return ''
  const counts = [
    [point.level, words.level],
    [point.up, words.up],
    [point.down, words.down],
  ] as const
  const texts = counts.flatMap(([count, word]) => (word ? [`${count} ${word.toLowerCase()}`] : []))
  return `${formatTime(point.at)}: ${texts.join(', ')}`
}

/** Chooses round times of the reader's clock that fit beside each other. */
function ticksOf(points: readonly TimePoint[], width: number): { index: number; text: string }[] {
  const room = Math.max(1, Math.floor(width / TIME_WIDTH))
  const minutes = points.map(({ at }) => new Date(at).getHours() * 60 + new Date(at).getMinutes())
  for (const tick of TICKS_MIN) {
    const ticks = points.flatMap(({ at }, index) =>
      (minutes[index] ?? 0) % tick === 0 ? [{ index, text: formatTime(at) }] : [],
    )
    if (ticks.length <= room) return ticks
  }
  return []
}
