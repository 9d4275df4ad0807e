import type { LengthBand, LengthChart } from '../../../../shared/attendance-charts.ts'
import { formatSpan } from '../../../lib/periods.ts'
import { BarRows } from '../../../ui/charts/BarRows.tsx'
import { ChartCard } from '../../../ui/charts/ChartCard.tsx'
import { ChartTable } from '../../../ui/charts/ChartTable.tsx'

type LengthsCardProps = { lengths: LengthChart; onDownload: () => void }

export function LengthsCard({ lengths: { median_seconds, bands }, onDownload }: LengthsCardProps) {
  const total = bands.reduce((sum, { visits }) => sum + visits, 0)
  const share = (visits: number) => `${Math.round((visits / total) * 100)}%`
  return (
    <ChartCard
      title="Length of visits"
      summary={lengthsSummary(total, median_seconds)}
      onDownload={onDownload}
      table={
        <ChartTable
          label="Length of visits"
          columns={['Length', 'Visits', 'Share']}
          rows={bands.map((band) => ({
            key: String(band.from_seconds),
            cells: [bandText(band), band.visits, share(band.visits)],
          }))}
        />
      }
    >
      {total > 0 ? (
        <BarRows
          rows={bands.map((band) => ({
            key: String(band.from_seconds),
            label: bandText(band),
            value: band.visits,
            text: band.visits.toLocaleString('en'),
          }))}
        />
      ) : null}
    </ChartCard>
  )
}

function lengthsSummary(total: number, median: number | null): string {
  if (median === null) return 'There were no visits.'
  if (total === 1) return `The only visit lasted ${formatSpan(median)}.`
  return `Half of the ${total.toLocaleString('en')} visits lasted ${formatSpan(median)} or longer.`
}

/** Formats 2700 to 3600 as 45–60 min, and 5400 to 7200 as 1½–2 h. */
function bandText({ from_seconds, to_seconds }: LengthBand): string {
  if (to_seconds === null) return `${hours(from_seconds)} h or more`
  if (from_seconds === 0) return `under ${to_seconds / 60} min`
  if (to_seconds <= 3600) return `${from_seconds / 60}–${to_seconds / 60} min`
  return `${hours(from_seconds)}–${hours(to_seconds)} h`
}

const hours = (seconds: number) => (seconds / 3600).toString().replace('.5', '½')
