import { Paper } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { site } from '../../lib/site.ts'
import { Empty } from '../../ui/Empty.tsx'
import { Page } from '../../ui/Page.tsx'
import { Exports } from './Exports.tsx'

/** A placeholder, until the installation turns the exports on. */
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
        <Empty
          icon={<IconDownload size={22} stroke={1.75} aria-hidden="true" />}
          hint="Lists of your users and of who attended, as files to keep. Recordings can be downloaded on Cloud Recordings."
        >
          Downloads are coming soon
        </Empty>
      </Paper>
    </Page>
  )
}
