import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { RoomUser } from '../../../shared/room-users.ts'
import { messageOf } from '../../lib/api-client.ts'
import { copyText } from '../../lib/copy-text.ts'
import { site } from '../../lib/site.ts'
import { useCredentials } from '../../queries/room-users.ts'
import { roomDetails } from '../../queries/rooms.ts'
import { credentialsText } from './credentials-text.ts'

type Toast = { success: (message: string) => void; error: (message: string) => void }

export function useCopyCredentials(toast: Toast) {
  const { mutateAsync: fetchCredentials } = useCredentials()
  const { data: details } = useQuery(roomDetails)
  const roomName = details?.room_name ?? 'our room'
  return useCallback(
    async (user: RoomUser) => {
      const text = fetchCredentials(user.id).then((login) => credentialsText(login, roomName, site.play_store_url))
      try {
        await copyText(text)
        toast.success('Credentials copied to clipboard')
      } catch (error) {
        toast.error(messageOf(error, 'Failed to copy credentials'))
      }
    },
    [fetchCredentials, roomName, toast],
  )
}
