import { IconDownload } from '@tabler/icons-react'
import { Empty } from '../ui/Empty.tsx'
import { Page } from '../ui/Page.tsx'
import { Panel } from '../ui/Panel.tsx'

export function DownloadsScreen() {
  return (
    <Page title="Downloads">
      <Panel>
        <Empty
          icon={<IconDownload size={22} stroke={1.75} aria-hidden="true" />}
          hint="Lists of your users and of who attended, as files to keep. Recordings can be downloaded on Cloud Recordings."
        >
          Downloads are coming soon
        </Empty>
      </Panel>
    </Page>
  )
}
