import { Badge, Button, Group, Paper, Text } from '@mantine/core'
import { IconArrowsLeftRight, IconCalendarTime } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Link, useNavigate } from 'react-router'
import type { MeetingSummary } from '../../../shared/meetings.ts'
import { formatClock } from '../../lib/format-clock.ts'
import { pastMeetings } from '../../queries/meetings.ts'
import cells from '../../ui/cells.module.css'
import { DataTable } from '../../ui/DataTable.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { NotLoaded } from '../../ui/NotLoaded.tsx'
import { Page } from '../../ui/Page.tsx'
import { SteadyButton } from '../../ui/SteadyButton.tsx'
import { type Column, selectColumn, useDataTable, useSelectedRows } from '../../ui/use-data-table.tsx'
import { meetingAddress, meetingLength, meetingName } from '../../widgets/meeting/meeting-words.ts'

const count = (value: number) => <span className={cells.short}>{value.toLocaleString('en')}</span>

const COLUMNS: Column<MeetingSummary>[] = [
  selectColumn<MeetingSummary>('Select all meetings', meetingName),
  {
    header: 'Meeting',
    meta: { card: 'heading' },
    cell: ({ row: { original } }) => (
      <Group gap="xs" component="span">
        <Link to={meetingAddress(original.id)}>
          <span className={cells.name}>{meetingName(original)}</span>
        </Link>
        {original.ended_at === null ? <Badge color="good">Running</Badge> : null}
      </Group>
    ),
  },
  { header: 'Length', cell: ({ row }) => meetingLength(row.original, Date.now()) },
  { header: 'Users', cell: ({ row }) => count(row.original.users) },
  { header: 'Most at one time', cell: ({ row }) => count(row.original.peak) },
  { header: 'Time spoken', cell: ({ row }) => formatClock(row.original.spoke_seconds) },
  { header: 'Recordings', cell: ({ row }) => count(row.original.recordings) },
  { header: 'Actions taken', cell: ({ row }) => count(row.original.acts) },
  {
    header: 'Note',
    cell: ({ row: { original } }) =>
      original.note ? (
        <Text span inherit lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
          {original.note}
        </Text>
      ) : (
        <span className={cells.minor}>–</span>
      ),
  },
]

export function MeetingList() {
  const list = useInfiniteQuery(pastMeetings)
  const meetings = useMemo(() => list.data?.pages.flatMap((page) => page.meetings), [list.data])
  return (
    <Page title="Meetings" subtitle="Each meeting of your room: how many came, who spoke, and what was done.">
      {list.data && list.isError ? <Notice tone="warn">Failed to refresh data</Notice> : null}
      {meetings ? (
        <Meetings meetings={meetings} hasZoom={list.data?.pages[0]?.has_zoom ?? false} />
      ) : (
        <NotLoaded query={list} loading="Loading meetings..." title="Failed to load meetings" />
      )}
      {list.hasNextPage ? (
        <SteadyButton
          variant="default"
          mx="auto"
          busy={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          Show earlier meetings
        </SteadyButton>
      ) : null}
    </Page>
  )
}

function Meetings({ meetings, hasZoom }: { meetings: MeetingSummary[]; hasZoom: boolean }) {
  const navigate = useNavigate()
  const table = useDataTable({ columns: COLUMNS, data: meetings, getRowId: ({ id }) => id })
  const { selected } = useSelectedRows(table)
  const [one, other] = selected
  if (meetings.length === 0)
    return (
      <Paper>
        <NoMeetings hasZoom={hasZoom} />
      </Paper>
    )

  const compare = () => {
    if (one && other) void navigate(`${meetingAddress(other.id)}&${new URLSearchParams({ with: one.id })}`)
  }
  return (
    <>
      <Group gap="sm" fz="sm" c="dimmed" className="no-print">
        <SteadyButton
          variant="default"
          leftSection={<IconArrowsLeftRight size={17} aria-hidden="true" />}
          off={selected.length !== 2}
          onClick={compare}
        >
          Compare
        </SteadyButton>
        <span role="status">
          {selected.length === 2
            ? 'Two meetings selected'
            : selected.length === 0
              ? 'Select two meetings to see them side by side.'
              : `${selected.length} selected: two can be compared.`}
        </span>
      </Group>
      <DataTable label="Meetings" table={table} />
    </>
  )
}

function NoMeetings({ hasZoom }: { hasZoom: boolean }) {
  return (
    <Empty
      icon={<IconCalendarTime size={22} stroke={1.75} />}
      hint={
        hasZoom
          ? 'A meeting appears here as soon as it has begun in Zoom.'
          : 'This room has no Zoom meeting. Attendance shows who was online, by day.'
      }
      action={
        <Button component={Link} to="/host/attendance" variant="default">
          See who attended
        </Button>
      }
    >
      No meetings yet
    </Empty>
  )
}
