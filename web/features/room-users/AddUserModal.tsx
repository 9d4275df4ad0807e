import { Button, Group, Stack } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { AddRoomUser } from '../../../shared/room-users.ts'
import type { UserGroup } from '../../../shared/user-groups.ts'
import { fieldErrorsOf, messageOf } from '../../lib/api-client.ts'
import { roomUsers, useAddRoomUser } from '../../queries/room-users.ts'
import { CancelButton, Dialog } from '../../ui/Dialog.tsx'
import { toast } from '../../ui/toast.tsx'
import { UserFields } from '../../widgets/room-user/UserFields.tsx'

const NO_GROUPS: string[] = []

type AddUserModalProps = { nextUserId: string; groups: readonly UserGroup[]; onClose: () => void }

export function AddUserModal({ nextUserId, groups, onClose }: AddUserModalProps) {
  const client = useQueryClient()
  const add = useAddRoomUser()
  const [offer, setOffer] = useState<{ userId: string; taken?: string }>({ userId: nextUserId })
  const form = useForm({
    initialValues: { username: '', user_id: nextUserId, password: '', reference: '', group_ids: NO_GROUPS },
    validate: schemaResolver(AddRoomUser, { sync: true }),
  })

  function handleSubmit(values: AddRoomUser) {
    const group_ids = groups.flatMap(({ id }) => (values.group_ids?.includes(id) ? [id] : [])) // without deleted ones
    add.mutate(
      { ...values, group_ids },
      {
        onSuccess: () => {
          toast.success('User created successfully')
          onClose()
        },
        onError: (error) => {
          const errors = fieldErrorsOf(error)
          form.setErrors(errors)
          toast.error(messageOf(error, 'Failed to create user'))
          if (errors.user_id && values.user_id === offer.userId) void offerAnother(values.user_id)
        },
      },
    )
  }

  /** Another console took the user ID first. Suggests the next one, unless the field was edited. */
  async function offerAnother(taken: string) {
    await client.refetchQueries({ queryKey: roomUsers.queryKey, exact: true })
    const userId = client.getQueryData(roomUsers.queryKey)?.next_user_id
    if (!userId || userId === taken || form.getValues().user_id !== taken) return
    setOffer({ userId, taken })
    form.setFieldValue('user_id', userId)
  }

  return (
    <Dialog onClose={onClose} title="Add User" centered unsaved={form.isDirty()} busy={add.isPending}>
      <form noValidate onSubmit={form.onSubmit(handleSubmit)}>
        <Stack>
          <UserFields
            form={form}
            groups={groups}
            isNew
            userIdHint={offer.taken && `${offer.taken} has been taken in the meantime. ${offer.userId} is free.`}
          />
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
