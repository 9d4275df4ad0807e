import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Done } from '../../../shared/envelope.ts'
import { WordSentAnswer } from '../../../shared/room-users.ts'
import type { SendWord, StandingWord } from '../../../shared/room-words.ts'
import { ApiError, api, messageOf } from '../../lib/api-client.ts'
import { roomUsers } from '../../queries/room-users.ts'
import { toast } from '../../ui/toast.tsx'

/** The receiver of a word; null is the whole room. */
export type Receiver = { id: string; username: string } | null

export function useSendWord(to: Receiver) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (word: SendWord) => {
      const path = to === null ? '/host/word' : `/host/users/${encodeURIComponent(to.id)}/word`
      return (await api(WordSentAnswer, 'PUT', path, word)).data
    },
    onSettled: () => client.invalidateQueries({ queryKey: roomUsers.queryKey }),
  })
}

/** Takes a word back by its id, so that a newer one in its place stays. One that is gone already needs no message. */
export function useTakeWordBack() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ id }: StandingWord) => {
      await api(Done, 'DELETE', `/host/words/${encodeURIComponent(id)}`).catch((error: unknown) => {
        if (!(error instanceof ApiError && error.status === 404)) throw error
      })
    },
    onError: (error) => toast.error(messageOf(error, 'Failed to take the word back')),
    onSettled: () => client.invalidateQueries({ queryKey: roomUsers.queryKey }),
  })
}
