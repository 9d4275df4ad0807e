import { Button, Group, Stack } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { useState } from 'react'
import { EditedRoomUserFields, EditRoomUser, type RoomUser } from '../../../shared/room-users.ts'
import type { UserGroup } from '../../../shared/user-groups.ts'
import { ApiError, fieldErrorsOf, messageOf } from '../../lib/api-client.ts'
import { changedFields } from '../../lib/changed-fields.ts'
import { useEditRoomUser } from '../../queries/room-users.ts'
import { CancelButton, Dialog } from '../../ui/Dialog.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { toast } from '../../ui/toast.tsx'
import { groupsOf } from '../user-groups/GroupChips.tsx'
import { UserFields } from './UserFields.tsx'

type EditUserModalProps = { user: RoomUser; groups: readonly UserGroup[]; onClose: () => void }

/** If another console edits the same user, its change is shown before it can be overwritten. */
export function EditUserModal({ user, groups, onClose }: EditUserModalProps) {
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
    const group_ids = groups.flatMap(({ id }) => (values.group_ids?.includes(id) ? [id] : [])) // without deleted ones
    const changes = password ? { ...values, group_ids, password } : { ...values, group_ids }
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
              {user.reference ? <bdi>{user.reference}</bdi> : 'without a reference'}
              {groups.length > 0 ? `, ${groupWords(user, groups)}` : ''}. Save again to replace that.
            </Notice>
          ) : null}
          <UserFields form={form} groups={groups} isNew={false} />
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

function groupWords(user: RoomUser, groups: readonly UserGroup[]): string {
  const names = groupsOf(user, groups).map(({ name }) => name)
  return names.length === 0 ? 'in no group' : `in ${names.join(', ')}`
}

const namesOf = ({ username, user_id, reference, group_ids }: RoomUser) => ({
  username,
  user_id,
  reference,
  group_ids,
})
