import { useQuery } from '@tanstack/react-query'
import { hostRoom } from '../../queries/rooms.ts'
import { Notice } from '../../ui/Notice.tsx'

/** Warns that Zoom is not connected; `still` says what the page can do without it. */
export function ZoomMissing({ still }: { still: string }) {
  const { data: room } = useQuery(hostRoom)
  if (!room || room.zoom_status === 'connected') return null
  const [title, advice] =
    room.zoom_status === 'not_connected'
      ? ['Zoom is not connected to your room', 'Ask your administrator to connect it.']
      : [
          'Zoom has to be connected again',
          'Zoom no longer accepts the connection to your room. Ask your administrator to connect it again.',
        ]
  return (
    <Notice tone="warn" title={title}>
      {advice} {still}
    </Notice>
  )
}
