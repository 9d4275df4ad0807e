import { Badge } from '@mantine/core'
import type { Connection } from '../live-room/use-live-room.ts'

export function LiveMark({ connection, isStreaming }: { connection: Connection; isStreaming: boolean }) {
  if (connection === 'stale') return <Badge color="bad">Not live</Badge>
  if (connection === 'reconnecting' || !isStreaming) {
    return (
      <Badge color="warn" title="Changes may show half a second late">
        Connecting…
      </Badge>
    )
  }
  return <Badge color="good">Live</Badge>
}
