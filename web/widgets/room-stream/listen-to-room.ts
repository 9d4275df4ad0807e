import { StreamSession } from '../../../shared/rooms.ts'
import { api } from '../../lib/api-client.ts'
import { openRoomStream } from './room-stream.ts'
import { type StreamListener, shareStream } from './shared-stream.ts'

/** `meeting_id` is null if the room has no Zoom meeting. */
export type StreamedRoom = { room_id: string; meeting_id: string | null }

/** Listens to the events of a room, over the stream that the browser's tabs share, until the returned function is called. */
export function listenToRoom(room: StreamedRoom, listener: StreamListener): () => void {
  const open = (opened: StreamListener) =>
    openRoomStream({
      origin: window.location.origin,
      openSession: async (signal) => (await api(StreamSession, 'POST', '/mobile/sse-session', room, { signal })).sseUrl,
      openStream: (url) => new EventSource(url),
      ...opened,
    })
  return shareStream({ name: `parley-room-${room.room_id}`, open, ...listener })
}
