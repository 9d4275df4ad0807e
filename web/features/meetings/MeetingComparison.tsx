import { Paper, Table, Title } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { MeetingReport } from '../../../shared/meetings.ts'
import { formatClock } from '../../lib/format-clock.ts'
import { meetingReport } from '../../queries/meetings.ts'
import { NotLoaded } from '../../ui/NotLoaded.tsx'
import { Page } from '../../ui/Page.tsx'
import { meetingAddress, meetingLength, meetingName } from '../../widgets/meeting/meeting-words.ts'
import { AllMeetingsButton } from './AllMeetingsButton.tsx'
import { VisitorTable } from './MeetingTables.tsx'

const counted = (value: number) => value.toLocaleString('en')

const ROWS: [label: string, of: (report: MeetingReport) => string][] = [
  ['Length', ({ meeting }) => meetingLength(meeting, Date.now())],
  ['Users', ({ meeting }) => counted(meeting.users)],
  ['Most at one time', ({ meeting }) => counted(meeting.peak)],
  ['Came late', ({ users }) => counted(users.filter(({ late_seconds }) => late_seconds !== null).length)],
  ['Left early', ({ users }) => counted(users.filter(({ early_seconds }) => early_seconds !== null).length)],
  ['Time spoken', ({ meeting }) => formatClock(meeting.spoke_seconds)],
  ['Users who spoke', ({ speakers }) => counted(speakers.length)],
  ['Recordings', ({ meeting }) => counted(meeting.recordings)],
  ['Actions taken', ({ meeting }) => counted(meeting.acts)],
]

/** Shows two meetings side by side, and who came to only one of them. */
export function MeetingComparison({ ids }: { ids: [string, string] }) {
  const [first, second] = useQueries({ queries: [meetingReport(ids[0]), meetingReport(ids[1])] })
  return (
    <Page
      title="Two meetings"
      subtitle="Their numbers side by side, and who came to only one of them."
      actions={<AllMeetingsButton />}
    >
      {first.data && second.data ? (
        <Comparison first={first.data} second={second.data} />
      ) : (
        <NotLoaded
          query={first.data ? second : first}
          loading="Loading the meetings..."
          title="Failed to load the meetings"
        />
      )}
    </Page>
  )
}

function Comparison({ first, second }: { first: MeetingReport; second: MeetingReport }) {
  const reports = [first, second]
  return (
    <>
      <Paper p="xs">
        <Table aria-label="The two meetings" layout="fixed">
          <Table.Thead>
            <Table.Tr>
              <Table.Td w="34%" />
              {reports.map(({ meeting }) => (
                <Table.Th key={meeting.id} scope="col">
                  <Link to={meetingAddress(meeting.id)}>{meetingName(meeting)}</Link>
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {ROWS.map(([label, of]) => (
              <Table.Tr key={label}>
                <Table.Th scope="row">{label}</Table.Th>
                {reports.map((report) => (
                  <Table.Td key={report.meeting.id}>{of(report)}</Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Paper>
      <OnlyIn report={first} other={second} />
      <OnlyIn report={second} other={first} />
    </>
  )
}

function OnlyIn({ report, other }: { report: MeetingReport; other: MeetingReport }) {
  const ids = new Set(other.users.map(({ id }) => id))
  const { meeting } = report
  const title = meeting.ended_at === null ? 'Only in the running meeting' : `Only on ${meetingName(meeting)}`
  return (
    <section aria-label={title}>
      <Title order={2} fz="lg" mb="xs">
        {title}
      </Title>
      <VisitorTable
        users={report.users.filter(({ id }) => !ids.has(id))}
        none={report.users.length > 0 ? 'All who came were at the other one too' : 'No one attended this meeting'}
      />
    </section>
  )
}
