import { Button, Group, Paper, Text, Title } from '@mantine/core'
import { IconClock, IconLink, IconMicrophone, IconPrinter, IconUsers, IconUsersGroup } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import type { MeetingReport, MeetingSummary } from '../../../shared/meetings.ts'
import { formatClock } from '../../lib/format-clock.ts'
import { meetingReport } from '../../queries/meetings.ts'
import { Notice } from '../../ui/Notice.tsx'
import { NotLoaded } from '../../ui/NotLoaded.tsx'
import { Page } from '../../ui/Page.tsx'
import { StatCard, StatRow } from '../../ui/StatCard.tsx'
import { auditActionText, timesText } from '../../widgets/audit/audit-words.ts'
import { meetingLength, meetingTitle } from '../../widgets/meeting/meeting-words.ts'
import { AllMeetingsButton } from './AllMeetingsButton.tsx'
import { MeetingNote } from './MeetingNote.tsx'
import { AbsenteeTable, HandTable, SpeakerTable, VisitorTable } from './MeetingTables.tsx'
import classes from './meetings.module.css'
import { ReportLinkDialog } from './ReportLinkDialog.tsx'

const ICON = { size: 20, stroke: 1.75 }

export function MeetingReportPage({ id }: { id: string }) {
  const query = useQuery(meetingReport(id))
  const report = query.data
  const [isSharing, setSharing] = useState(false)
  return (
    <Page
      title={report ? meetingTitle(report.meeting) : 'Meeting'}
      subtitle={report ? summaryOf(report) : undefined}
      actions={
        <>
          <AllMeetingsButton />
          {report && report.meeting.ended_at !== null ? (
            <Button
              variant="default"
              leftSection={<IconLink size={17} aria-hidden="true" />}
              onClick={() => setSharing(true)}
            >
              Share by link
            </Button>
          ) : null}
          <Button
            variant="default"
            leftSection={<IconPrinter size={17} aria-hidden="true" />}
            onClick={() => window.print()}
          >
            Print
          </Button>
        </>
      }
    >
      {report && isSharing ? <ReportLinkDialog meeting={report.meeting} onClose={() => setSharing(false)} /> : null}
      {report && query.isError ? <Notice tone="warn">Failed to refresh data</Notice> : null}
      {report ? (
        <Report report={report} />
      ) : (
        <NotLoaded query={query} loading="Loading the meeting..." title="Failed to load the meeting" />
      )}
    </Page>
  )
}

function Report({ report }: { report: MeetingReport }) {
  const { meeting, users, absent, speakers, hands, acts } = report
  return (
    <>
      <StatRow>
        <StatCard
          label="Attended"
          value={meeting.users}
          hint={absent.length > 0 ? `${absent.length.toLocaleString('en')} absent` : undefined}
          tone="good"
          icon={<IconUsers {...ICON} />}
        />
        <StatCard label="Most at one time" value={meeting.peak} icon={<IconUsersGroup {...ICON} />} />
        <StatCard label="Length" value={meetingLength(meeting, Date.now())} icon={<IconClock {...ICON} />} />
        <StatCard label="Time spoken" value={formatClock(meeting.spoke_seconds)} icon={<IconMicrophone {...ICON} />} />
      </StatRow>
      <MeetingNote meeting={meeting} />
      <Section title="Who spoke">
        <SpeakerTable speakers={speakers} />
      </Section>
      {meeting.ended_at === null ? null : (
        <Section title="Hands that were not called">
          <HandTable hands={hands} />
        </Section>
      )}
      <Section title="Who came">
        <VisitorTable users={users} none="No one attended this meeting" />
      </Section>
      <Section title="Who was absent">
        <AbsenteeTable users={absent} />
      </Section>
      <Group align="stretch" gap="md">
        <Acts acts={acts} />
        <Recordings meeting={meeting} />
      </Group>
    </>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <Title order={2} fz="lg" mb="xs">
        {title}
      </Title>
      {children}
    </section>
  )
}

function Acts({ acts }: Pick<MeetingReport, 'acts'>) {
  return (
    <Paper component="section" p="lg" flex="1 1 18rem" aria-labelledby="meeting-acts">
      <Title order={2} id="meeting-acts" fz="md" mb="xs">
        What was done
      </Title>
      {acts.length > 0 ? (
        <ul className={classes.acts}>
          {acts.map(({ action, times }) => (
            <li key={action}>
              {auditActionText(action)}
              {timesText({ times })}
            </li>
          ))}
        </ul>
      ) : (
        <Text c="dimmed">Neither you nor an assistant had to act.</Text>
      )}
    </Paper>
  )
}

function Recordings({ meeting: { recordings, ended_at } }: { meeting: MeetingSummary }) {
  return (
    <Paper component="section" p="lg" flex="1 1 18rem" aria-labelledby="meeting-recordings">
      <Title order={2} id="meeting-recordings" fz="md" mb="xs">
        Recordings
      </Title>
      {recordings > 0 ? (
        <Link to="/host/recordings">{recordings === 1 ? '1 recording' : `${recordings} recordings`}</Link>
      ) : (
        <Text c="dimmed">
          {ended_at === null ? 'Zoom finishes them after the meeting.' : 'There is no recording of this meeting.'}
        </Text>
      )}
    </Paper>
  )
}

/** Says in a sentence what the numbers say: "42 users came, 38 at one time; 3 late, 2 left early." */
function summaryOf({ meeting, users }: MeetingReport): string {
  if (meeting.users === 0) return 'No one with the phone app came.'
  const late = users.filter(({ late_seconds }) => late_seconds !== null).length
  const early = users.filter(({ early_seconds }) => early_seconds !== null).length
  const came = `${meeting.users === 1 ? '1 user' : `${meeting.users.toLocaleString('en')} users`} came, at most ${meeting.peak.toLocaleString('en')} at one time`
  const others = [
    late > 0 && `${late.toLocaleString('en')} late`,
    early > 0 && `${early.toLocaleString('en')} left early`,
  ]
  const words = others.filter(Boolean).join(', ')
  return words ? `${came}; ${words}.` : `${came}.`
}
