import { Button, Stack, Text, ThemeIcon, Title } from '@mantine/core'
import { IconAlertTriangle, IconRefresh } from '@tabler/icons-react'
import type { ReactNode } from 'react'

type FailedProps = { title?: string; children: ReactNode; onRetry?: () => void; retrying?: boolean }

/** Says what could not be shown, and offers to try again. */
export function Failed({ title, children, onRetry, retrying = false }: FailedProps) {
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
    </Stack>
  )
}
