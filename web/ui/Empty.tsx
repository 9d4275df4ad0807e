import { Stack, Text, ThemeIcon } from '@mantine/core'
import { IconInbox } from '@tabler/icons-react'
import type { ReactNode } from 'react'

type EmptyProps = { children: ReactNode; icon?: ReactNode; hint?: ReactNode; action?: ReactNode }

/** Shown instead of an empty list; `hint` and `action` say how to change that. */
export function Empty({ children, icon, hint, action }: EmptyProps) {
  return (
    <Stack align="center" gap="xs" px="md" py={56} ta="center">
      <ThemeIcon color="quiet" radius="xl" size={48} aria-hidden="true">
        {icon ?? <IconInbox size={22} stroke={1.75} />}
      </ThemeIcon>
      <Text size="lg" fw={600}>
        {children}
      </Text>
      {hint ? (
        <Text c="dimmed" maw="34rem">
          {hint}
        </Text>
      ) : null}
      {action}
    </Stack>
  )
}
