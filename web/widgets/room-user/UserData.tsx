import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconDownload, IconEraser } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { normaliseForComparison } from '../../../shared/normalise.ts'
import { type ErasePerson, ErasePersonAnswer } from '../../../shared/person.ts'
import type { RoomUser } from '../../../shared/room-users.ts'
import { api, fieldErrorsOf, generalMessageOf, messageOf } from '../../lib/api-client.ts'
import { downloadFile } from '../../lib/download.ts'
import { useSession } from '../../lib/session/session.ts'
import { roomUsers } from '../../queries/room-users.ts'
import { CancelButton, Dialog } from '../../ui/Dialog.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { toast } from '../../ui/toast.tsx'
import { FactsSection } from './UserFacts.tsx'

const pathOf = (id: string) => `/host/users/${encodeURIComponent(id)}`

/** Exports all that is kept about a user. A host may erase it; its managers may not. */
export function UserData({ user }: { user: RoomUser }) {
  const { user: account } = useSession()
  const [erased, setErased] = useState<RoomUser | null>(null)
  const saving = useMutation({
    mutationFn: () => downloadFile(`${pathOf(user.id)}/export`),
    onError: (error) => toast.error(messageOf(error, 'The file could not be fetched. Please try again.')),
  })
  return (
    <FactsSection title="Data">
      <Group gap="xs">
        <Button
          size="xs"
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden="true" />}
          loading={saving.isPending}
          onClick={() => saving.mutate()}
        >
          Export data
        </Button>
        {account?.role === 'host' ? (
          <Button
            size="xs"
            variant="default"
            c="bad"
            leftSection={<IconEraser size={16} aria-hidden="true" />}
            onClick={() => setErased(user)}
          >
            Erase
          </Button>
        ) : null}
      </Group>
      {erased ? <EraseDialog user={erased} onClose={() => setErased(null)} /> : null}
    </FactsSection>
  )
}

function useErasePerson(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: ErasePerson) => api(ErasePersonAnswer, 'POST', `${pathOf(id)}/erase`, body),
    onSuccess: () => toast.success('The user was erased'), // also if the next poll has closed the dialog
    onSettled: () => client.invalidateQueries({ queryKey: roomUsers.queryKey }),
  })
}

function EraseDialog({ user: { id, username }, onClose }: { user: RoomUser; onClose: () => void }) {
  const erase = useErasePerson(id)
  const form = useForm({
    initialValues: { confirm_name: '' },
    validate: {
      confirm_name: (typed) =>
        normaliseForComparison(typed.trim()) === normaliseForComparison(username.trim())
          ? null
          : 'Type the username as it is above',
    },
  })
  const failure = generalMessageOf(erase.error, { confirm_name: '' }, 'Failed to erase the user. Please try again.')

  function handleSubmit(values: ErasePerson) {
    erase.mutate(values, {
      onSuccess: onClose,
      onError: (error) => form.setErrors(fieldErrorsOf(error)),
    })
  }

  return (
    <Dialog title="Erase this user?" centered busy={erase.isPending} onClose={onClose}>
      <form noValidate onSubmit={form.onSubmit(handleSubmit)}>
        <Stack>
          <Text size="sm">
            The account of{' '}
            <b>
              <bdi dir="auto">{username}</bdi>
            </b>{' '}
            is deleted and its phone signed out. Its name, reference, phone and addresses are taken out of attendance
            and log, whose times and counts stay. This cannot be undone.
          </Text>
          <Text size="sm" c="dimmed">
            Not reached: what Zoom keeps, recordings, and backups until they are replaced.
          </Text>
          <TextInput
            label="Username"
            description="Type it to confirm"
            autoComplete="off"
            data-autofocus
            {...form.getInputProps('confirm_name')}
          />
          {failure ? <Notice tone="bad">{failure}</Notice> : null}
          <Group justify="flex-end" gap="xs">
            <CancelButton disabled={erase.isPending} />
            <Button type="submit" color="red" loading={erase.isPending}>
              Erase
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
