import { scaleBand } from '@visx/scale'
import { Bar } from '@visx/shape'
import { useLayoutEffect, useRef } from 'react'
import classes from './chart.module.css'
import { Scrubber } from './Scrubber.tsx'
import { useChartWidth } from './use-chart-width.ts'
import map from './WeekMap.module.css'

type WeekMapProps = {
  label: string
  /** Days of the calendar without gaps, and their counts. */
  days: readonly { day: string; count: number }[]
  textOf: (day: { day: string; count: number }) => string
}

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const MONTH = new Intl.DateTimeFormat('en-GB', { month: 'short', timeZone: 'UTC' })
const [LEFT, TOP, ROW, GAP] = [34, 20, 26, 3]
/** The columns of weeks that are too many for the width are scrolled to. */
const [NARROWEST, WIDEST] = [15, 46]
const LEVELS = [0, 1, 2, 3, 4]

/** Draws a column for each week and a row for each weekday, darker the higher the count. */
export function WeekMap({ label, days, textOf }: WeekMapProps) {
  const { ref, width } = useChartWidth()
  const scroller = useRef<HTMLDivElement>(null)
  const offset = days[0] ? (new Date(days[0].day).getUTCDay() + 6) % 7 : 0
  const weeks = Math.ceil((days.length + offset) / 7)
  const column = Math.min(WIDEST, Math.max(NARROWEST, (width - LEFT) / weeks))
  const drawn = column * weeks
  const x = scaleBand({ domain: range(weeks), range: [0, drawn] })
  const y = scaleBand({ domain: range(7), range: [TOP, TOP + 7 * ROW] })
  const highest = Math.max(0, ...days.map(({ count }) => count))
  const hasNumbers = column - GAP >= 12 + String(highest).length * 5
  const placeOf = (index: number) => ({ week: Math.floor((index + offset) / 7), weekday: (index + offset) % 7 })

  // The last weeks matter most.
  useLayoutEffect(() => {
    if (width > 0 && scroller.current) scroller.current.scrollLeft = drawn
  }, [drawn, width])

  return (
    <Scrubber
      label={label}
      count={days.length}
      across={7}
      pointAt={(px, py) => {
        const week = Math.floor((px + (scroller.current?.scrollLeft ?? 0) - LEFT) / column)
        const weekday = Math.floor((py - TOP) / ROW)
        const index = week * 7 + weekday - offset
        return week >= 0 && week < weeks && weekday >= 0 && weekday < 7 && days[index] ? index : null
      }}
      textOf={(index) => (days[index] ? textOf(days[index]) : '')}
      legend={
        <span className={classes.key}>
          Fewer
          <svg width={LEVELS.length * 15} height="12" aria-hidden="true">
            {LEVELS.map((level) => (
              <rect
                key={level}
                className={map.cell}
                data-level={level}
                x={level * 15 + 0.5}
                y={0.5}
                width={11}
                height={11}
                rx={3}
              />
            ))}
          </svg>
          More
        </span>
      }
    >
      {(chosen) => (
        <div ref={ref}>
          {width > 0 ? (
            <div className={map.plot}>
              <svg className={classes.svg} width={LEFT} height={TOP + 7 * ROW} aria-hidden="true">
                {WEEKDAYS.map((name, weekday) => (
                  <text key={name} className={classes.tick} x={0} y={(y(weekday) ?? 0) + ROW / 2} dy="0.3em">
                    {name}
                  </text>
                ))}
              </svg>
              <div ref={scroller} className={map.scroller}>
                <svg className={classes.svg} width={drawn} height={TOP + 7 * ROW} aria-hidden="true">
                  {monthsOf(days, offset).map(({ week, text }) => (
                    <text key={week} className={classes.tick} x={x(week)} y={10}>
                      {text}
                    </text>
                  ))}
                  {days.map(({ day, count }, index) => {
                    const { week, weekday } = placeOf(index)
                    const level = count === 0 ? 0 : Math.ceil((count / highest) * 4)
                    const [cellX, cellY] = [x(week) ?? 0, y(weekday) ?? 0]
                    return (
                      <g key={day} className={map.cell} data-level={level} data-chosen={index === chosen || undefined}>
                        <Bar x={cellX + 1} y={cellY + 1} width={column - GAP} height={ROW - GAP} rx={4} />
                        {hasNumbers && count > 0 ? (
                          <text x={cellX + 1 + (column - GAP) / 2} y={cellY + ROW / 2} dy="0.3em" textAnchor="middle">
                            {count}
                          </text>
                        ) : null}
                      </g>
                    )
                  })}
                </svg>
              </div>
            </div>
          ) : null}
        </div>
      )}
    </Scrubber>
  )
}

const range = (length: number) => Array.from({ length }, (_none, index) => index)

/** Names a month above the first week that begins in it, unless that is too near to the name before. */
function monthsOf(days: WeekMapProps['days'], offset: number): { week: number; text: string }[] {
  const names: { week: number; text: string }[] = []
  let last = ''
  for (const [index, { day }] of days.entries()) {
    if (index > 0 && (index + offset) % 7 !== 0) continue
    const text = MONTH.format(new Date(day))
    const week = Math.floor((index + offset) / 7)
    const before = names.at(-1)
    if (text !== last && before?.week === week - 1) names.pop()
    if (text !== last) names.push({ week, text })
    last = text
  }
  return names
}
