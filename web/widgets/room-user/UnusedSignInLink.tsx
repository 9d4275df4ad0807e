import { Button, Group, Text } from '@mantine/core'
import { IconLink, IconLinkOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { RoomUser } from '../../../shared/room-users.ts'
import { messageOf } from '../../lib/api-client.ts'
import { openSignInLinks, useRevokeSignInLink } from '../../queries/sign-in-links.ts'
import { formatMoment } from '../../ui/format-date.ts'
import { toast } from '../../ui/toast.tsx'

/** Shows a one-time link of the user that is still unused. */
export function UnusedSignInLink({ user: { id, username } }: { user: RoomUser }) {
  const { data: links } = useQuery(openSignInLinks)
  const { mutateAsync, isPending } = useRevokeSignInLink()
  const expiresAt = links?.get(id)
  if (expiresAt === undefined) return null

  async function revoke() {
    try {
      await mutateAsync(id)
      toast.success(`The link of ${username} no longer works.`)
    } catch (error) {
      toast.error(messageOf(error, 'Failed to revoke the link'))
    }
  }

  return (
    <Group gap="xs" mt="xs" justify="space-between">
      <Group gap={6} wrap="nowrap">
        <IconLink size={16} stroke={1.75} aria-hidden="true" />
        <Text size="sm">One-time link open until {formatMoment(expiresAt)}</Text>
      </Group>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconLinkOff size={15} stroke={1.75} aria-hidden="true" />}
        loading={isPending}
        onClick={() => void revoke()}
      >
        Revoke link
      </Button>
    </Group>
  )
}
