import { Anchor, Paper } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { Link } from 'react-router'
import { site } from '../../lib/site.ts'
import { Empty } from '../../ui/Empty.tsx'
import { Page } from '../../ui/Page.tsx'
import { Exports } from './Exports.tsx'

/** Links to the pages that can save their lists as files already. */
function Elsewhere() {
  return (
    <>
      Until then, save your users on <PageLink to="/host/users">Users Master</PageLink>, who attended on{' '}
      <PageLink to="/host/attendance">Attendance</PageLink>, who did what on <PageLink to="/host/log">Log</PageLink>,
      and recordings on <PageLink to="/host/recordings">Cloud Recordings</PageLink>.
    </>
  )
}

function PageLink({ to, children }: { to: string; children: string }) {
  return (
    <Anchor component={Link} to={to} inherit underline="always">
      {children}
    </Anchor>
  )
}

/** Shows a placeholder until the installation turns the exports on. */
export function DownloadsScreen() {
  if (site.features.includes('downloads')) {
    return (
      <Page title="Downloads" subtitle="Your room's lists as files, for a spreadsheet.">
        <Exports />
      </Page>
    )
  }
  return (
    <Page title="Downloads">
      <Paper>
        <Empty icon={<IconDownload size={22} stroke={1.75} aria-hidden="true" />} hint={<Elsewhere />}>
          Downloads are coming soon
        </Empty>
      </Paper>
    </Page>
  )
}
