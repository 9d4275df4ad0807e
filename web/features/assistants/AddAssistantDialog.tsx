import { Box, Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { AddAssistant } from '../../../shared/assistants.ts'
import { fieldErrorsOf, generalMessageOf } from '../../lib/api-client.ts'
import { CancelButton, Dialog, ModalFooter } from '../../ui/Dialog.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { InvitationLink } from './InvitationLink.tsx'
import { useAddAssistant } from './queries.ts'
import { ROLE_CHOICES } from './role-words.ts'

const EMPTY: AddAssistant = { name: '', role: 'moderator' }

export function AddAssistantDialog({ onClose }: { onClose: () => void }) {
  const add = useAddAssistant()
  const form = useForm({ initialValues: EMPTY, validate: schemaResolver(AddAssistant, { sync: true }) })
  const failure = generalMessageOf(add.error, EMPTY, 'The assistant could not be added. Please try again.')

  return (
    <Dialog
      onClose={onClose}
      title="Add assistant"
      busy={add.isPending}
      unsaved={!add.data && form.isDirty()}
      styles={{ body: { padding: 0 } }}
    >
      {add.data ? (
        <>
          <Box px="lg" pb="lg">
            <InvitationLink name={add.data.assistant.name} link={add.data} />
            <Text size="sm" mt="md">
              The username for the sign-in is <strong dir="ltr">{add.data.assistant.login_name}</strong>.
            </Text>
          </Box>
          <ModalFooter>
            <Group justify="flex-end">
              <CancelButton>Done</CancelButton>
            </Group>
          </ModalFooter>
        </>
      ) : (
        <form
          noValidate
          onSubmit={form.onSubmit((assistant) =>
            add.mutate(assistant, { onError: (error) => form.setErrors(fieldErrorsOf(error)) }),
          )}
        >
          <Stack px="lg" pb="lg">
            <TextInput
              label="Name"
              description="The log and the Online page show it."
              autoComplete="off"
              data-autofocus
              {...form.getInputProps('name')}
            />
            <NativeSelect label="Role" data={ROLE_CHOICES} {...form.getInputProps('role')} />
            <Text size="sm" c="dimmed">
              A moderator sees the Online page alone, and mutes and signs out there. A manager also works with users,
              recordings and attendance. Neither sees your account, the log or the link that starts the meeting.
            </Text>
            {failure ? <Notice tone="bad">{failure}</Notice> : null}
          </Stack>
          <ModalFooter>
            <Group justify="flex-end" gap="xs">
              <CancelButton disabled={add.isPending} />
              <Button type="submit" loading={add.isPending}>
                Add assistant
              </Button>
            </Group>
          </ModalFooter>
        </form>
      )}
    </Dialog>
  )
}
