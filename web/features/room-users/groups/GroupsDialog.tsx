import { Button, Group, Stack, Text } from '@mantine/core'
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import type { RoomUser } from '../../../../shared/room-users.ts'
import { GROUPS_MAX, type UserGroup } from '../../../../shared/user-groups.ts'
import { messageOf } from '../../../lib/api-client.ts'
import { useDeleteGroup } from '../../../queries/user-groups.ts'
import { confirm } from '../../../ui/confirm.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { PersonText } from '../../../ui/PersonText.tsx'
import { toast } from '../../../ui/toast.tsx'
import { GroupSwatch } from '../../../widgets/user-groups/GroupChips.tsx'
import { GroupForm } from './GroupForm.tsx'
import classes from './groups.module.css'

type GroupsDialogProps = { groups: readonly UserGroup[]; users: readonly RoomUser[]; onClose: () => void }

/** Makes, renames, recolours and deletes the groups of the room's users. */
export function GroupsDialog({ groups, users, onClose }: GroupsDialogProps) {
  const [edited, setEdited] = useState<UserGroup | 'new' | null>(groups.length === 0 ? 'new' : null)
  const [isDirty, setDirty] = useState(false)
  const remove = useDeleteGroup()
  const isFull = groups.length >= GROUPS_MAX

  function stopEditing() {
    setEdited(null)
    setDirty(false)
  }

  async function handleDelete(group: UserGroup) {
    const count = countIn(group, users)
    const question = {
      title: `Delete the group “${group.name}”?`,
      body: count === 0 ? 'No user is in it.' : `Its ${usersIn(count)} stay, without this group.`,
      confirmLabel: 'Delete group',
      danger: true,
    }
    if (!(await confirm(question))) return
    remove.mutate(group, {
      onSuccess: () => toast.success('Group deleted'),
      onError: (error) => toast.error(messageOf(error, 'Failed to delete the group')),
    })
  }

  return (
    <Dialog title="Groups" centered unsaved={isDirty} onClose={onClose}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          A user may be in several groups. On the page Online you see them on the tiles, and mute or unmute a whole
          group.
        </Text>
        {groups.length > 0 ? (
          <ul className={classes.list}>
            {groups.map((group) => (
              <li key={group.id}>
                {edited !== 'new' && edited?.id === group.id ? (
                  <GroupForm group={edited} groups={groups} onDirty={setDirty} onDone={stopEditing} />
                ) : (
                  <div className={classes.row}>
                    <GroupSwatch colour={group.colour} />
                    <span className={classes.name}>
                      <PersonText text={group.name} wraps />
                      <Text span size="xs" c="dimmed">
                        {usersIn(countIn(group, users))}
                      </Text>
                    </span>
                    <Button
                      variant="subtle"
                      color="gray"
                      className={classes.act}
                      aria-label={`Edit ${group.name}`}
                      title="Edit"
                      onClick={() => setEdited(group)}
                    >
                      <IconPencil size={18} aria-hidden="true" />
                    </Button>
                    <Button
                      variant="subtle"
                      color="bad"
                      className={classes.act}
                      aria-label={`Delete ${group.name}`}
                      title="Delete"
                      onClick={() => void handleDelete(group)}
                    >
                      <IconTrash size={18} aria-hidden="true" />
                    </Button>
                  </div>
                )}
              </li>
            ))}
          </ul>
        ) : null}
        {edited === 'new' ? (
          <GroupForm group={null} groups={groups} onDirty={setDirty} onDone={stopEditing} />
        ) : (
          <Group justify="space-between" gap="xs">
            <Text size="xs" c="dimmed">
              {isFull ? `A room has at most ${GROUPS_MAX} groups.` : ''}
            </Text>
            <Button
              h={40}
              variant="default"
              leftSection={<IconPlus size={17} aria-hidden="true" />}
              disabled={isFull || edited !== null}
              onClick={() => setEdited('new')}
            >
              New group
            </Button>
          </Group>
        )}
      </Stack>
    </Dialog>
  )
}

function countIn({ id }: UserGroup, users: readonly RoomUser[]): number {
  return users.filter(({ group_ids }) => group_ids.includes(id)).length
}

const usersIn = (count: number) => (count === 1 ? '1 user' : `${count.toLocaleString('en')} users`)
