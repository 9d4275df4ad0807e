import { Button, Group, Stack, Text } from '@mantine/core'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Done } from '../../../shared/envelope.ts'
import type { RoomUser } from '../../../shared/room-users.ts'
import { AttendeeNamesAnswer } from '../../../shared/seat.ts'
import { api, messageOf } from '../../lib/api-client.ts'
import { site } from '../../lib/site.ts'
import { toast } from '../../ui/toast.tsx'
import { useClickGuard } from '../../ui/use-click-guard.ts'

const NONE: readonly string[] = []
const pathOf = (id: string) => `/host/users/${encodeURIComponent(id)}/zoom-names`

const zoomNames = (id: string) =>
  queryOptions({
    queryKey: ['zoom-names', id],
    queryFn: async ({ signal }) =>
      (await api(AttendeeNamesAnswer, 'GET', pathOf(id), undefined, { signal })).data.names,
    enabled: site.seat_url !== '',
  })

/** Lists the names by which a user is recognised in Zoom, and forgets them. Nothing where there are none. */
export function ZoomNames({ user: { id } }: { user: RoomUser }) {
  const { data: names = NONE } = useQuery(zoomNames(id))
  const client = useQueryClient()
  const isMeant = useClickGuard(names)
  const { mutate, variables, isPending } = useMutation({
    mutationFn: (name: string) => api(Done, 'DELETE', pathOf(id), { name }),
    onSettled: () => client.invalidateQueries({ queryKey: zoomNames(id).queryKey }),
    onError: (error) => toast.error(messageOf(error, 'Failed to forget the name')),
  })
  if (names.length === 0) return null
  return (
    <Stack component="ul" gap={6} m={0} mt={10} p={0} style={{ listStyle: 'none' }} aria-label="Names in Zoom">
      {names.map((name) => (
        <Group component="li" key={name} justify="space-between" gap="xs" wrap="nowrap">
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            Recognised in Zoom by the name “<bdi>{name}</bdi>”
          </Text>
          <Button
            size="xs"
            variant="default"
            flex="none"
            aria-label={`Forget the name ${name}`}
            loading={isPending && variables === name}
            onClick={(event) => {
              if (isMeant(name, event)) mutate(name)
            }}
          >
            Forget
          </Button>
        </Group>
      ))}
    </Stack>
  )
}
