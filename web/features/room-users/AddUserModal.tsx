import { Button, Group, Stack } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { AddRoomUser } from '../../../shared/room-users.ts'
import { fieldErrorsOf, messageOf } from '../../lib/api-client.ts'
import { useAddRoomUser } from '../../lib/queries/room-users.ts'
import { CancelButton, Dialog } from '../../ui/Dialog.tsx'
import { toast } from '../../ui/toast.tsx'
import { UserFields } from '../../widgets/room-user/UserFields.tsx'

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
    <Dialog onClose={onClose} title="Add User" centered unsaved={form.isDirty()}>
      <form noValidate onSubmit={form.onSubmit(handleSubmit)}>
        <Stack>
          <UserFields form={form} isNew />
          <Group justify="flex-end" gap="xs" mt="xs">
            <CancelButton />
            <Button type="submit" loading={add.isPending}>
              Add User
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
