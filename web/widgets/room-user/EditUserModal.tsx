import { Button, Group, Stack } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { useState } from 'react'
import { EditedRoomUserFields, EditRoomUser, type RoomUser } from '../../../shared/room-users.ts'
import { ApiError, fieldErrorsOf, messageOf } from '../../lib/api-client.ts'
import { changedFields } from '../../lib/changed-fields.ts'
import { useEditRoomUser } from '../../queries/room-users.ts'
import { CancelButton, Dialog } from '../../ui/Dialog.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { toast } from '../../ui/toast.tsx'
import { UserFields } from './UserFields.tsx'

type EditUserModalProps = { user: RoomUser; onClose: () => void }

/** If another console edits the same user, its change is shown before it can be overwritten. */
export function EditUserModal({ user, onClose }: EditUserModalProps) {
  const edit = useEditRoomUser()
  const [seen] = useState(() => namesOf(user))
  const [isOverwriting, setOverwriting] = useState(false)
  // Initial values only: a poll must not overwrite what is being typed.
  const initialValues = { ...seen, password: '', reference: seen.reference ?? '' }
  const form = useForm({
    initialValues,
    validate: (values) => ({
      ...schemaResolver(EditRoomUser, { sync: true })(values),
      ...schemaResolver(EditedRoomUserFields, { sync: true })(changedFields(values, initialValues)),
    }),
  })

  function handleSubmit({ password, ...values }: EditRoomUser) {
    const changes = password ? { ...values, password } : values
    edit.mutate(
      { id: user.id, ...changes, expect: isOverwriting ? namesOf(user) : seen },
      {
        onSuccess: () => {
          toast.success('User updated successfully')
          onClose()
        },
        onError: (error) => {
          if (error instanceof ApiError && error.code === 'state_changed') {
            setOverwriting(true)
          }
          form.setErrors(fieldErrorsOf(error))
          toast.error(messageOf(error, 'Failed to update user'))
        },
      },
    )
  }

  return (
    <Dialog onClose={onClose} title="Edit User" centered unsaved={form.isDirty()} busy={edit.isPending}>
      <form noValidate onSubmit={form.onSubmit(handleSubmit)}>
        <Stack>
          {isOverwriting ? (
            <Notice tone="warn" title="Changed by another console in the meantime">
              The user is now <bdi>{user.username}</bdi>, <bdi>{user.user_id}</bdi>,{' '}
              {user.reference ? <bdi>{user.reference}</bdi> : 'without a reference'}. Save again to replace that.
            </Notice>
          ) : null}
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

const namesOf = ({ username, user_id, reference }: RoomUser) => ({ username, user_id, reference })
