import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { ZoomErrorKind, type ZoomErrors } from '../../../shared/home.ts'
import { ChartCard } from '../../ui/charts/ChartCard.tsx'
import { ChartTable } from '../../ui/charts/ChartTable.tsx'
import { Columns } from '../../ui/charts/Columns.tsx'
import { Key } from '../../ui/charts/Key.tsx'
import { formatTime } from '../../ui/format-date.ts'

const KINDS: Record<ZoomErrorKind, string> = {
  unanswered: 'Not answered',
  limited: 'Too many calls',
  refused: 'Refused',
  disconnected: 'Connection lost',
}

type Hour = ZoomErrors[number]

/** Shows the calls that failed at Zoom in each hour, for all hosts. */
export function ZoomErrorsCard({ hours }: { hours: ZoomErrors }) {
  return (
    <ChartCard
      title="Zoom's errors, last 24 hours"
      summary={<ErrorsSummary hours={hours} />}
      table={
        <ChartTable
          label="Zoom's errors"
          columns={['From', ...ZoomErrorKind.options.map((kind) => KINDS[kind])]}
          rows={hours.toReversed().map((hour) => ({
            key: hour.at,
            cells: [formatTime(hour.at), ...ZoomErrorKind.options.map((kind) => hour[kind])],
          }))}
        />
      }
    >
      {hours.some((hour) => totalOf(hour) > 0) ? (
        <Columns
          label="Zoom's errors"
          steps={hours.map((hour) => ({ key: hour.at, count: totalOf(hour), name: formatTime(hour.at) }))}
          textOf={(index) => hourText(hours[index])}
          legend={<Key shape="area" word="Failed calls" />}
        />
      ) : null}
    </ChartCard>
  )
}

function ErrorsSummary({ hours }: { hours: ZoomErrors }): ReactNode {
  const total = hours.reduce((sum, hour) => sum + totalOf(hour), 0)
  if (total === 0) return 'No call has failed at Zoom in the last 24 hours.'
  const worst = hours.reduce((most, hour) => (totalOf(hour) > totalOf(most) ? hour : most))
  const kinds = ZoomErrorKind.options
    .map((kind) => ({ kind, count: hours.reduce((sum, hour) => sum + hour[kind], 0) }))
    .filter(({ count }) => count > 0)
  const calls = total === 1 ? '1 call has failed' : `${total.toLocaleString('en')} calls have failed`
  return (
    <>
      {`${calls} (${kinds.map(({ kind, count }) => `${KINDS[kind].toLowerCase()}: ${count.toLocaleString('en')}`).join(', ')}), most of them from ${formatTime(worst.at)} on. `}
      <Anchor component={Link} to="/master/system" inherit underline="always">
        See the checks
      </Anchor>
    </>
  )
}

const totalOf = (hour: Hour) => ZoomErrorKind.options.reduce((sum, kind) => sum + hour[kind], 0)

function hourText(hour: Hour | undefined): string {
  if (!hour) return ''
  const counts = ZoomErrorKind.options.filter((kind) => hour[kind] > 0)
  const words = counts.map((kind) => `${hour[kind]} ${KINDS[kind].toLowerCase()}`)
  return `${formatTime(hour.at)}: ${words.length > 0 ? words.join(', ') : 'none'}`
}
