import { Box, Group, Text, ThemeIcon } from '@mantine/core'
import { useSession } from '../../lib/session/session.ts'

/** Shows the signed-in user. */
export function UserBadge({ folded }: { folded: boolean }) {
  const { user } = useSession()
  if (!user) return null
  const { username, full_name } = user
  const [initial = ''] = (full_name || username).toUpperCase() // a whole character, since an emoji is two
  const [name, below] = full_name && isAddress(username) ? [full_name, username] : [username, full_name]
  return (
    <Group
      gap="sm"
      wrap="nowrap"
      px={folded ? 0 : 8}
      py={4}
      justify={folded ? 'center' : undefined}
      title={folded ? username : undefined}
    >
      <ThemeIcon size={34} radius="xl" bg="var(--ink-raised)" c="var(--brand-light)" fw={650} aria-hidden="true">
        {initial}
      </ThemeIcon>
      {folded ? null : (
        <Box miw={0} lh={1.3}>
          <Text component="bdi" dir={directionOf(name)} display="block" inherit fw={600} truncate>
            {name}
          </Text>
          {below ? (
            <Text component="bdi" dir={directionOf(below)} display="block" inherit fz="xs" c="var(--ink-soft)" truncate>
              {below}
            </Text>
          ) : null}
        </Box>
      )}
    </Group>
  )
}

/** An email address, or an assistant's name at its host's. */
const isAddress = (name: string) => name.includes('@')

/** An address runs from the left, so that its end is cut and not its beginning. */
export const directionOf = (name: string) => (isAddress(name) ? 'ltr' : 'auto')
