import { Button, Group, Stack, TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { useState } from 'react'
import { AddAssistant, type Assistant } from '../../../shared/assistants.ts'
import { fieldErrorsOf, generalMessageOf } from '../../lib/api-client.ts'
import { CancelButton, Dialog } from '../../ui/Dialog.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { toast } from '../../ui/toast.tsx'
import { useEditAssistant } from './queries.ts'

const Rename = AddAssistant.pick({ name: true })

export function RenameDialog({ assistant, onClose }: { assistant: Assistant; onClose: () => void }) {
  const [{ id, name }] = useState(assistant) // a copy, in case the list changes
  const edit = useEditAssistant()
  const form = useForm({ initialValues: { name }, validate: schemaResolver(Rename, { sync: true }) })
  const failure = generalMessageOf(edit.error, { name }, 'The assistant could not be renamed. Please try again.')

  function handleSubmit(values: { name: string }) {
    edit.mutate(
      { id, ...values },
      {
        onSuccess: ({ data }) => {
          toast.success(`${name} is ${data.assistant.name} now`)
          onClose()
        },
        onError: (error) => form.setErrors(fieldErrorsOf(error)),
      },
    )
  }

  return (
    <Dialog onClose={onClose} title={`Rename ${name}`} centered busy={edit.isPending} unsaved={form.isDirty()}>
      <form noValidate onSubmit={form.onSubmit(handleSubmit)}>
        <Stack>
          <TextInput
            label="Name"
            description="The sign-in changes with it: tell the assistant the new one."
            autoComplete="off"
            data-autofocus
            {...form.getInputProps('name')}
          />
          {failure ? <Notice tone="bad">{failure}</Notice> : null}
          <Group justify="flex-end" gap="xs" mt="xs">
            <CancelButton disabled={edit.isPending} />
            <Button type="submit" loading={edit.isPending}>
              Rename
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
