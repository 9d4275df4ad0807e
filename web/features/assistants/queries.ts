import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  type AddAssistant,
  AddedAssistantAnswer,
  AssistantAnswer,
  AssistantLinkAnswer,
  AssistantsAnswer,
  type EditAssistant,
} from '../../../shared/assistants.ts'
import { Done } from '../../../shared/envelope.ts'
import { ApiError, api, isOutcomeUnknown } from '../../lib/api-client.ts'

export const assistants = queryOptions({
  queryKey: ['assistants'],
  queryFn: async ({ signal }) =>
    (await api(AssistantsAnswer, 'GET', '/host/assistants', undefined, { signal })).data.assistants,
})

function useChange<Input, Answer>(change: (input: Input) => Promise<Answer>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSettled: () => client.invalidateQueries({ queryKey: assistants.queryKey }),
  })
}

export const useAddAssistant = () =>
  useChange(
    async (assistant: AddAssistant) =>
      (await api(AddedAssistantAnswer, 'POST', '/host/assistants', assistant, { adds: true })).data,
  )

export const useEditAssistant = () =>
  useChange(({ id, ...edit }: EditAssistant & { id: string }) =>
    api(AssistantAnswer, 'PUT', `/host/assistants/${encodeURIComponent(id)}`, edit),
  )

export const useNewLink = () =>
  useChange(async ({ id, removesFactor }: { id: string; removesFactor: boolean }) => {
    const body = { remove_second_factor: removesFactor }
    return (await api(AssistantLinkAnswer, 'POST', `/host/assistants/${encodeURIComponent(id)}/invite-link`, body)).data
  })

/** Succeeds too if the assistant has gone meanwhile, or is seen to be gone although no answer came. */
export function useRemoveAssistant() {
  const client = useQueryClient()
  return useChange(async (id: string) => {
    try {
      await api(Done, 'DELETE', `/host/assistants/${encodeURIComponent(id)}`)
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return
      if (!isOutcomeUnknown(error)) throw error
      const now = await client.fetchQuery({ ...assistants, staleTime: 0 }).catch(() => null)
      if (!now || now.some((one) => one.id === id)) throw error
    }
  })
}
