import { Button, Group, Stack } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { EditRoomUser, type RoomUser } from '../../../shared/room-users.ts'
import { fieldErrorsOf, messageOf } from '../../lib/api-client.ts'
import { useEditRoomUser } from '../../lib/queries/room-users.ts'
import { CancelButton, Dialog } from '../../ui/Dialog.tsx'
import { toast } from '../../ui/toast.tsx'
import { UserFields } from './UserFields.tsx'

type EditUserModalProps = { user: RoomUser; onClose: () => void }

export function EditUserModal({ user, onClose }: EditUserModalProps) {
  const edit = useEditRoomUser()
  // Initial values only: a poll must not overwrite what is being typed.
  const form = useForm({
    initialValues: { username: user.username, user_id: user.user_id, password: '', reference: user.reference ?? '' },
    validate: schemaResolver(EditRoomUser, { sync: true }),
  })

  function handleSubmit({ password, ...values }: EditRoomUser) {
    const changes = password ? { ...values, password } : values
    edit.mutate(
      { id: user.id, ...changes },
      {
        onSuccess: () => {
          toast.success('User updated successfully')
          onClose()
        },
        onError: (error) => {
          form.setErrors(fieldErrorsOf(error))
          toast.error(messageOf(error, 'Failed to update user'))
        },
      },
    )
  }

  return (
    <Dialog onClose={onClose} title="Edit User" centered unsaved={form.isDirty()}>
      <form noValidate onSubmit={form.onSubmit(handleSubmit)}>
        <Stack>
          <UserFields form={form} isNew={false} />
          <Group justify="flex-end" gap="xs" mt="xs">
            <CancelButton />
            <Button type="submit" loading={edit.isPending}>
              Save changes
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
