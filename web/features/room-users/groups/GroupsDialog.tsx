import { Button, Group, Stack, Text } from '@mantine/core'
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useEffect, useId, useRef, useState } from 'react'
import type { RoomUser } from '../../../../shared/room-users.ts'
import { GROUPS_MAX, type UserGroup } from '../../../../shared/user-groups.ts'
import { messageOf } from '../../../lib/api-client.ts'
import { useDeleteGroup } from '../../../queries/user-groups.ts'
import { confirm } from '../../../ui/confirm.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { PersonText } from '../../../ui/PersonText.tsx'
import { SteadyButton } from '../../../ui/SteadyButton.tsx'
import { toast } from '../../../ui/toast.tsx'
import { confirmDiscard } from '../../../ui/unsaved-work.tsx'
import { useFocusNeighbour } from '../../../ui/use-focus-neighbour.ts'
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
  const dialogId = useId()
  const newId = `${dialogId}new`
  const keepsFocus = useFocusNeighbour(newId)
  const openerId = useRef<string | null>(null)
  const goneName = edited && edited !== 'new' && !groups.some(({ id }) => id === edited.id) ? edited.name : null

  useEffect(() => {
    if (goneName === null) return
    toast.warning(`Someone else has deleted the group “${goneName}”`)
    setEdited(null)
    setDirty(false)
  }, [goneName])

  useEffect(() => {
    if (edited !== null || openerId.current === null) return
    if (document.activeElement === document.body) document.getElementById(openerId.current)?.focus()
    openerId.current = null
  }, [edited])

  async function handleEdit(group: UserGroup | 'new') {
    if (isDirty && !(await confirmDiscard())) return
    setEdited(group)
    setDirty(false)
  }

  /** Gives the focus of the form to the button that opens it. */
  function stopEditing() {
    openerId.current = edited && edited !== 'new' ? dialogId + edited.id : newId
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
      <Stack ref={keepsFocus} gap="sm">
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
                      id={dialogId + group.id}
                      variant="subtle"
                      color="gray"
                      className={classes.act}
                      aria-label={`Edit ${group.name}`}
                      title="Edit"
                      onClick={() => void handleEdit(group)}
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
            <SteadyButton
              id={newId}
              h={40}
              variant="default"
              leftSection={<IconPlus size={17} aria-hidden="true" />}
              off={isFull}
              onClick={() => void handleEdit('new')}
            >
              New group
            </SteadyButton>
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
