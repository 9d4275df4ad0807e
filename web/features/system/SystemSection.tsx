import { Group, Paper, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

type SectionProps = { title: string; beside?: string | undefined; action?: ReactNode; children: ReactNode }

export function SystemSection({ title, beside, action, children }: SectionProps) {
  return (
    <Paper component="section" p="lg" aria-label={title}>
      <Group justify="space-between" gap="xs" mb="xs">
        <Title order={2} fz="md">
          {title}
        </Title>
        <Group gap="md">
          {beside ? (
            <Text size="sm" c="dimmed" role="status">
              {beside}
            </Text>
          ) : null}
          {action}
        </Group>
      </Group>
      {children}
    </Paper>
  )
}
