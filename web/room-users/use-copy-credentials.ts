import { useCallback } from 'react'
import type { RoomUser } from '../../shared/room-users.ts'
import { messageOf } from '../api.ts'
import { toast } from '../ui/toast.tsx'
import { copyText } from './copy-text.ts'
import { credentialsText } from './credentials-text.ts'
import { useCredentials } from './queries.ts'

/** Puts what a user signs in with on the clipboard, as text made to be sent. */
export function useCopyCredentials() {
  const { mutateAsync: askCredentials } = useCredentials()
  return useCallback(
    async (user: RoomUser) => {
      try {
        await copyText(askCredentials(user.id).then(credentialsText))
        toast.success('Credentials copied to clipboard')
      } catch (error) {
        toast.error(messageOf(error, 'Failed to copy credentials'))
      }
    },
    [askCredentials],
  )
}
