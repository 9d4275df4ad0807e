import { Button, Code, Group, Stack, Text } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { copyMessage } from '../../ui/copy-message.ts'
import { formatMoment } from '../../ui/format-date.ts'

export interface ShownLink {
  url: string
  expires_at: string
}

type InvitationLinkProps = { name: string; link: ShownLink; removesFactor?: boolean }

/** Shows a link that exists only here, until the page is left. */
export function InvitationLink({ name, link: { url, expires_at }, removesFactor = false }: InvitationLinkProps) {
  return (
    <Stack gap="xs">
      <Text size="sm">
        Send this link to <bdi>{name}</bdi>, who sets a password with it, once and until {formatMoment(expires_at)}.
        {removesFactor ? ' The second factor is removed then.' : null} Parley does not show it again.
      </Text>
      <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
        {url}
      </Code>
      <Group>
        <Button
          leftSection={<IconCopy size={17} aria-hidden="true" />}
          onClick={() => void copyMessage(url, 'Invitation link copied to clipboard')}
        >
          Copy invitation link
        </Button>
      </Group>
    </Stack>
  )
}
