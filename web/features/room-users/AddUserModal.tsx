import { Button, Group, Stack, TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { AddRoomUser } from '../../../shared/room-users.ts'
import { fieldErrorsOf, messageOf } from '../../lib/api-client.ts'
import { useAddRoomUser } from '../../lib/queries/room-users.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { NewPasswordField } from '../../ui/NewPasswordField.tsx'
import { toast } from '../../ui/toast.tsx'

type AddUserModalProps = { nextUserId: string; onClose: () => void }

export function AddUserModal({ nextUserId, onClose }: AddUserModalProps) {
  const add = useAddRoomUser()
  const form = useForm({
    initialValues: { username: '', user_id: nextUserId, password: '', reference: '' },
    validate: schemaResolver(AddRoomUser, { sync: true }),
  })

  function handleSubmit(values: AddRoomUser) {
    add.mutate(values, {
      onSuccess: () => {
        toast.success('User created successfully')
        onClose()
      },
      onError: (error) => {
        form.setErrors(fieldErrorsOf(error))
        toast.error(messageOf(error, 'Failed to create user'))
      },
    })
  }

  return (
    <Dialog onClose={onClose} title="Add User" centered>
      <form noValidate onSubmit={form.onSubmit(handleSubmit)}>
        <Stack>
          <TextInput
            label="Username"
            description="What the person types to log in, and the name on the tile"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            withAsterisk
            data-autofocus
            {...form.getInputProps('username')}
          />
          <TextInput
            label="User ID"
            autoComplete="off"
            spellCheck={false}
            withAsterisk
            {...form.getInputProps('user_id')}
          />
          <NewPasswordField
            label="Password"
            withAsterisk
            onGenerate={(password) => form.setFieldValue('password', password)}
            {...form.getInputProps('password')}
          />
          <TextInput
            label="Reference"
            description="Anything that helps you know who this is; optional"
            autoComplete="off"
            {...form.getInputProps('reference')}
          />
          <Group justify="flex-end" gap="xs" mt="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={add.isPending}>
              Add User
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
