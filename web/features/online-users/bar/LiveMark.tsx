import { Badge } from '@mantine/core'
import type { ConnectionState } from '../live-room/use-live-room.ts'

/** The state of the connection to the server. The meeting has a mark of its own. */
export function LiveMark({ connection, isStreaming }: { connection: ConnectionState; isStreaming: boolean }) {
  if (connection === 'stale') return <Badge color="bad">Out of date</Badge>
  if (connection === 'reconnecting' || !isStreaming) {
    return (
      <Badge color="warn" title="Changes may show half a second late">
        Connecting…
      </Badge>
    )
  }
  return (
    <Badge color="good" title="This page shows each change right away">
      Up to date
    </Badge>
  )
}
