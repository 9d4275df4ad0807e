import { Button, Code, Group, Stack, Text, ThemeIcon, Title } from '@mantine/core'
import { IconAlertTriangle, IconRefresh } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { ApiError } from '../lib/api-client.ts'
import { CopyValue } from './CopyValue.tsx'

type FailedProps = {
  title?: string
  error: unknown
  children: ReactNode
  onRetry?: () => void
  retrying?: boolean
}

/** Says what could not be shown, offers to try again, and names the request if the fault is the server's. */
export function Failed({ title, error, children, onRetry, retrying = false }: FailedProps) {
  const requestId = error instanceof ApiError ? error.requestId : undefined
  return (
    <Stack role="alert" align="center" gap="xs" px="md" py={56} ta="center">
      <ThemeIcon color="bad" radius="xl" size={48} aria-hidden="true">
        <IconAlertTriangle size={22} stroke={1.75} />
      </ThemeIcon>
      {title ? (
        <Title order={2} size="h3">
          {title}
        </Title>
      ) : null}
      <Text c="dimmed" maw="34rem">
        {children}
      </Text>
      {onRetry ? (
        <Button
          variant="default"
          leftSection={<IconRefresh size={16} aria-hidden="true" />}
          loading={retrying}
          onClick={onRetry}
        >
          Try again
        </Button>
      ) : null}
      {requestId ? (
        <Group gap={4} wrap="nowrap" justify="center">
          <Text size="sm" c="dimmed">
            Request ID <Code>{requestId}</Code>
          </Text>
          <CopyValue what="Request ID" value={requestId} />
        </Group>
      ) : null}
    </Stack>
  )
}
