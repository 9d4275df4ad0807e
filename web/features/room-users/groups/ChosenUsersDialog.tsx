import { Group, SegmentedControl, Select, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { RoomUser } from '../../../../shared/room-users.ts'
import type { UserGroup } from '../../../../shared/user-groups.ts'
import { messageOf } from '../../../lib/api-client.ts'
import { useChangeGroupUsers } from '../../../queries/user-groups.ts'
import { CancelButton, Dialog } from '../../../ui/Dialog.tsx'
import { PersonText } from '../../../ui/PersonText.tsx'
import { SteadyButton } from '../../../ui/SteadyButton.tsx'
import { toast } from '../../../ui/toast.tsx'
import { GroupLine, GroupSwatch } from '../../../widgets/user-groups/GroupChips.tsx'
import classes from './groups.module.css'

type Change = 'add' | 'remove'
const CHANGES = [
  { value: 'add' as const, label: 'Add to' },
  { value: 'remove' as const, label: 'Take out of' },
]

type ChosenUsersDialogProps = { users: readonly RoomUser[]; groups: readonly UserGroup[]; onClose: () => void }

/** Adds the chosen users to a group, or takes them out of it. */
export function ChosenUsersDialog({ users, groups, onClose }: ChosenUsersDialogProps) {
  const save = useChangeGroupUsers()
  const [change, setChange] = useState<Change>('add')
  const [id, setId] = useState<string | null>(groups[0]?.id ?? null)
  const group = groups.find((one) => one.id === id) ?? null
  const affected = users.filter(({ group_ids }) => group && group_ids.includes(group.id) === (change === 'remove'))

  function handleSave() {
    if (!group) return
    const userIds = affected.map((user) => user.id)
    save.mutate(
      { id: group.id, userIds, change },
      {
        onSuccess: ({ succeeded, failed }) => {
          const done = `${usersIn(succeeded.length)} ${change === 'add' ? 'added to' : 'taken out of'} “${group.name}”`
          if (failed.length === 0) toast.success(done)
          else toast.error(`${done}, ${failed.length.toLocaleString('en')} failed: ${failed[0]?.message}`)
          onClose()
        },
        onError: (error) => toast.error(messageOf(error, 'The groups could not be changed. Please try again.')),
      },
    )
  }

  return (
    <Dialog title={`Groups of ${usersIn(users.length)}`} centered busy={save.isPending} onClose={onClose}>
      <Stack className={classes.fields}>
        <SegmentedControl aria-label="Change" fullWidth size="md" data={CHANGES} value={change} onChange={setChange} />
        <Select
          label="Group"
          allowDeselect={false}
          data={groups.map(({ id: value, name }) => ({ value, label: name }))}
          value={id}
          onChange={setId}
          searchable={groups.length > 10}
          nothingFoundMessage="No such group"
          leftSection={group ? <GroupSwatch colour={group.colour} /> : null}
          renderOption={({ option: { value, label } }) => (
            <GroupLine colour={groups.find((one) => one.id === value)?.colour ?? 'grey'}>
              <PersonText text={label} wraps />
            </GroupLine>
          )}
        />
        <Text size="sm" c="dimmed" role="status">
          {group === null
            ? 'Choose a group.'
            : affected.length === 0
              ? change === 'add'
                ? 'All of them are in it already.'
                : 'None of them is in it.'
              : affected.length < users.length
                ? `This changes ${usersIn(affected.length)} of ${users.length.toLocaleString('en')}.`
                : `This changes ${users.length === 1 ? 'this user' : 'all of them'}.`}
        </Text>
        <Group justify="flex-end" gap="xs" className={classes.acts}>
          <CancelButton disabled={save.isPending} />
          <SteadyButton busy={save.isPending} off={affected.length === 0} onClick={handleSave}>
            {change === 'add' ? 'Add' : 'Take out'}
          </SteadyButton>
        </Group>
      </Stack>
    </Dialog>
  )
}

const usersIn = (count: number) => (count === 1 ? '1 user' : `${count.toLocaleString('en')} users`)
