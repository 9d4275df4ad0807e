import { Badge, Box, Group, Paper, Stack, Text, ThemeIcon, Title } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { type ReactNode, useId } from 'react'

export type Step = { title: string; text: string; isDone: boolean; action?: ReactNode }

/** Lists first steps in order: the first unfinished one is the next. */
export function Steps({ title, steps }: { title: string; steps: Step[] }) {
  const id = useId()
  const next = steps.findIndex(({ isDone }) => !isDone)
  return (
    <Paper component="section" style={{ overflow: 'hidden' }} aria-labelledby={id}>
      <Group justify="space-between" gap="xs" px={22} py="md">
        <Title order={2} id={id} fz="lg">
          {title}
        </Title>
        <Text size="sm" c="dimmed">
          {steps.filter(({ isDone }) => isDone).length} of {steps.length} done
        </Text>
      </Group>
      <ol className="lined-grid">
        {steps.map(({ title: name, text, isDone, action }, at) => (
          <Stack
            key={name}
            component="li"
            gap={4}
            p="1.125rem 1.375rem 1.25rem"
            data-state={isDone ? 'done' : at === next ? 'next' : 'later'}
            bg={isDone || at === next ? undefined : 'var(--surface-sunken)'}
          >
            <Group gap="xs" wrap="nowrap">
              <ThemeIcon
                radius="xl"
                size={28}
                color={isDone ? 'good' : at === next ? 'petrol' : 'quiet'}
                variant={at === next ? 'filled' : undefined}
                aria-hidden="true"
              >
                {isDone ? <IconCheck size={16} stroke={2.4} /> : at + 1}
              </ThemeIcon>
              <Text fw={600} flex={1}>
                {name}
              </Text>
              {isDone ? <Badge color="good">Done</Badge> : at === next ? <Badge color="brand">Next</Badge> : null}
            </Group>
            <Text size="sm" c="dimmed" pl={38}>
              {text}
            </Text>
            {action && !isDone ? (
              <Box mt="auto" pt="sm" pl={38}>
                {action}
              </Box>
            ) : null}
          </Stack>
        ))}
      </ol>
    </Paper>
  )
}
