import type { SpeakingTime } from '../../../../shared/attendance.ts'
import { formatClock } from '../../../lib/format-clock.ts'
import { BarRows } from '../../../ui/charts/BarRows.tsx'
import { ChartCard } from '../../../ui/charts/ChartCard.tsx'
import { ChartTable } from '../../../ui/charts/ChartTable.tsx'
import { PersonText } from '../../../ui/PersonText.tsx'
import { UserLink } from '../../../widgets/room-user/UserLink.tsx'

/** All others share a bar. */
const BARS_MAX = 10

type SpeakersCardProps = { speakers: SpeakingTime[]; onDownload: () => void }

export function SpeakersCard({ speakers, onDownload }: SpeakersCardProps) {
  const total = sum(speakers)
  return (
    <ChartCard
      title="Time spoken"
      summary={<SpeakersSummary speakers={speakers} />}
      onDownload={onDownload}
      table={
        <ChartTable
          label="Time spoken"
          columns={['Username', 'Time spoken', 'Share']}
          rows={speakers.map(({ id, username, spoke_seconds }) => ({
            key: id,
            cells: [
              <UserLink key={id} id={id} name={username} wraps />,
              formatClock(spoke_seconds),
              `${Math.round((spoke_seconds / total) * 100)}%`,
            ],
          }))}
        />
      }
    >
      {speakers.length > 0 ? <BarRows rows={barsOf(speakers)} /> : null}
    </ChartCard>
  )
}

function SpeakersSummary({ speakers }: { speakers: SpeakingTime[] }) {
  const [first] = speakers
  if (!first) return 'No one spoke.'
  const longest = formatClock(first.spoke_seconds)
  if (speakers.length === 1)
    return (
      <>
        Only <bdi>{first.username}</bdi> spoke, for {longest}.
      </>
    )
  return (
    <>
      {speakers.length.toLocaleString('en')} users spoke for {formatClock(sum(speakers))} in all;{' '}
      <bdi>{first.username}</bdi> spoke the longest ({longest}).
    </>
  )
}

function barsOf(speakers: SpeakingTime[]) {
  const [shown, others] =
    speakers.length > BARS_MAX + 1 ? [speakers.slice(0, BARS_MAX), speakers.slice(BARS_MAX)] : [speakers, []]
  const bars = shown.map(({ id, username, spoke_seconds }) => ({
    key: id,
    label: <PersonText text={username} />,
    value: spoke_seconds,
    text: formatClock(spoke_seconds),
  }))
  if (others.length === 0) return bars
  const value = sum(others)
  return [...bars, { key: 'others', label: `${others.length} others`, value, text: formatClock(value) }]
}

const sum = (speakers: SpeakingTime[]) => speakers.reduce((total, { spoke_seconds }) => total + spoke_seconds, 0)
