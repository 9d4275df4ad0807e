import type { PresenceChart } from '../../../../shared/attendance-charts.ts'
import { ChartCard } from '../../../ui/charts/ChartCard.tsx'
import { ChartTable } from '../../../ui/charts/ChartTable.tsx'
import { OverTime } from '../../../ui/charts/OverTime.tsx'
import { formatTime } from '../../../ui/format-date.ts'

const WORDS = { level: 'Present', up: 'Joined', down: 'Left' }

type PresenceCardProps = { presence: PresenceChart | null; onDownload: () => void }

export function PresenceCard({ presence, onDownload }: PresenceCardProps) {
  const points = presence?.points ?? []
  const shown = points.map(({ at, present, joined, left }) => ({ at, level: present, up: joined, down: left }))
  return (
    <ChartCard
      title="Users over time"
      summary={presenceSummary(presence)}
      onDownload={onDownload}
      wide
      table={
        <ChartTable
          label="Users over time"
          columns={['From', WORDS.level, WORDS.up, WORDS.down]}
          rows={points.map(({ at, present, joined, left }) => ({
            key: at,
            cells: [formatTime(at), present, joined, left],
          }))}
        />
      }
    >
      {presence && presence.came > 0 ? <OverTime label="Users over time" points={shown} words={WORDS} /> : null}
    </ChartCard>
  )
}

export function presenceSummary(presence: PresenceChart | null): string {
  if (!presence) return 'Choose a meeting, or two days at most, to see this.'
  const { came, most, most_at } = presence
  if (most_at === null) return 'No one came.'
  if (came === 1) return `One user came, first at ${formatTime(most_at)}.`
  return `${came.toLocaleString('en')} came; most were there at ${formatTime(most_at)} (${most.toLocaleString('en')}).`
}
