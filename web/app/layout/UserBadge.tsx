import { Box, Group, Text, ThemeIcon } from '@mantine/core'
import { useSession } from '../../lib/session/session.ts'

/** Shows the signed-in user. */
export function UserBadge({ folded }: { folded: boolean }) {
  const { user } = useSession()
  if (!user) return null
  const [initial = ''] = (user.full_name || user.username).toUpperCase() // a whole character, since an emoji is two
  return (
    <Group
      gap="sm"
      wrap="nowrap"
      px={folded ? 0 : 8}
      py={4}
      justify={folded ? 'center' : undefined}
      title={folded ? user.username : undefined}
    >
      <ThemeIcon size={34} radius="xl" bg="var(--ink-raised)" c="var(--brand-light)" fw={650} aria-hidden="true">
        {initial}
      </ThemeIcon>
      {folded ? null : (
        <Box miw={0} lh={1.3}>
          <Text component="bdi" dir="auto" display="block" inherit fw={600} truncate>
            {user.username}
          </Text>
          {user.full_name ? (
            <Text component="bdi" dir="auto" display="block" inherit fz="xs" c="var(--ink-soft)" truncate>
              {user.full_name}
            </Text>
          ) : null}
        </Box>
      )}
    </Group>
  )
}
