import { Avatar, Box, Group, Paper, Stack, Text, ThemeIcon } from '@mantine/core'
import { IconEar, IconHandStop, IconMicrophone, IconPhone, IconPlayerRecordFilled } from '@tabler/icons-react'
import { isOwnLogo } from './own-logo.ts'

type PhonePreviewProps = {
  userTitle: string
  helpline: string
  message: string
  logoUrl: string
  allowRecording: boolean
}

/** Previews the edited values as a phone shows them. */
export function PhonePreview({ userTitle, helpline, message, logoUrl, allowRecording }: PhonePreviewProps) {
  const title = userTitle.trim() || 'Parley'
  const [initial = ''] = title.toUpperCase() // a whole character, since an emoji is two
  return (
    <Stack component="figure" align="center" gap="sm" m={0}>
      <Box
        pos="relative"
        w="min(17rem, 100%)"
        p={8}
        bd="1px solid var(--line-strong)"
        bdrs="2.25rem"
        bg="var(--ink)"
        style={{ boxShadow: 'var(--shadow-raised)', overflowWrap: 'anywhere' }}
        data-testid="phone-preview"
      >
        <Box
          component="span"
          pos="absolute"
          top="1rem"
          left="calc(50% - 2rem)"
          w="4rem"
          h={14}
          bdrs={999}
          bg="var(--ink)"
          aria-hidden="true"
        />
        <Stack gap={14} mih="29rem" p="2.25rem 1rem 1rem" bdrs="1.75rem" bg="var(--page)">
          <Group gap="xs" wrap="nowrap">
            <Avatar
              src={isOwnLogo(logoUrl) ? logoUrl : null}
              alt="Your logo"
              size={48}
              radius={12}
              color="petrol"
              variant="filled"
            >
              <span aria-hidden="true">{initial}</span>
            </Avatar>
            <Text component="bdi" dir="auto" size="lg" fw={650} lh={1.25} miw={0}>
              {title}
            </Text>
          </Group>
          {message.trim() ? (
            <Paper
              dir="auto"
              shadow="none"
              radius={12}
              px="sm"
              py="xs"
              fz="xs"
              mah="9rem"
              style={{ overflow: 'hidden', whiteSpace: 'pre-line' }}
            >
              {message.trim()}
            </Paper>
          ) : null}
          <Stack flex={1} align="center" justify="center" gap="xs" fz="xs" c="dimmed" aria-hidden="true">
            <ThemeIcon size={72} radius="50%">
              <IconEar size={26} stroke={1.5} />
            </ThemeIcon>
            You are listening
          </Stack>
          <Group justify="center" gap="sm" aria-hidden="true">
            <ThemeIcon variant="default" bg="var(--surface)" size={44} radius="50%">
              <IconMicrophone size={20} stroke={1.75} />
            </ThemeIcon>
            <ThemeIcon variant="default" bg="var(--surface)" size={44} radius="50%">
              <IconHandStop size={20} stroke={1.75} />
            </ThemeIcon>
            {allowRecording ? (
              <ThemeIcon variant="default" bg="var(--surface)" size={44} radius="50%" c="var(--bad)">
                <IconPlayerRecordFilled size={18} />
              </ThemeIcon>
            ) : null}
          </Group>
          <Group justify="center" gap={6} wrap="nowrap" fz="xs" c="dimmed">
            <IconPhone size={15} stroke={1.75} style={{ flex: 'none' }} aria-hidden="true" />
            {helpline.trim() ? (
              <span>
                Helpline <bdi dir="ltr">{helpline.trim()}</bdi>
              </span>
            ) : (
              'No helpline'
            )}
          </Group>
        </Stack>
      </Box>
      <Text component="figcaption" size="xs" c="dimmed" ta="center">
        How your users' phones would show it
        {logoUrl !== '' && !isOwnLogo(logoUrl) ? '. A logo at another address shows on phones only' : ''}.
      </Text>
    </Stack>
  )
}
