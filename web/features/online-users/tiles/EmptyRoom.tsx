import { Button, Group, Paper } from '@mantine/core'
import { IconHeadphonesOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { RoomUsersAnswer } from '../../../../shared/room-users.ts'
import { api } from '../../../lib/api-client.ts'
import { useRights } from '../../../lib/session/rights.ts'
import { hostRoom } from '../../../queries/rooms.ts'
import { Empty } from '../../../ui/Empty.tsx'

/** Shown while nobody is online: the next step depends on whether the room is active and has users. */
export function EmptyRoom() {
  const { isHost, managesUsers } = useRights()
  const { data: total } = useQuery({
    enabled: managesUsers,
    queryKey: ['room-users', 'total'],
    queryFn: async ({ signal }) =>
      (await api(RoomUsersAnswer, 'GET', '/host/users?limit=1', undefined, { signal })).data.total ?? null,
  })
  const { data: room } = useQuery(hostRoom)
  if (room && !room.is_active) {
    return (
      <Paper>
        <Empty
          icon={<IconHeadphonesOff size={22} stroke={1.75} aria-hidden="true" />}
          hint={`${
            isHost ? 'Your room' : 'The room'
          } is stopped: no phone can sign in until ${isHost ? 'you activate it on Host Master' : 'its host activates it'}.`}
          action={
            isHost ? (
              <Button component={Link} to="/host/host-master" mt={4}>
                Host Master
              </Button>
            ) : null
          }
        >
          No users are currently online
        </Empty>
      </Paper>
    )
  }
  return (
    <Paper>
      <Empty
        icon={<IconHeadphonesOff size={22} stroke={1.75} aria-hidden="true" />}
        hint={hintFor(total)}
        action={
          managesUsers && (
            <Group gap="xs" justify="center" mt={4}>
              {total === 0 ? (
                <Button component={Link} to="/host/users">
                  Add users
                </Button>
              ) : (
                <>
                  <Button component={Link} to="/host/users">
                    Send sign-in details
                  </Button>
                  <Button component={Link} to="/host/users" variant="default">
                    Add users
                  </Button>
                </>
              )}
            </Group>
          )
        }
      >
        No users are currently online
      </Empty>
    </Paper>
  )
}

function hintFor(total: number | null | undefined): string {
  if (total === 0)
    return 'Your room has no users yet. Once you have added some, each signs in on a phone and appears here.'
  const users = total ? `Your room has ${total === 1 ? '1 user' : `${total} users`}. ` : ''
  return `${users}Users appear here as soon as they sign in on their phones.`
}
