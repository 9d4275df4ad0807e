import { Badge, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { ListLine } from '../../ui/LineList.tsx'

type AccountLineProps = { name: string; facts: ReactNode; isOn?: boolean; children: ReactNode }

/** Shows one of the things that an account has, and what can be done with it. */
export function AccountLine({ name, facts, isOn = false, children }: AccountLineProps) {
  return (
    <ListLine
      words={
        <>
          <Group gap="xs">
            <Text fw={600}>{name}</Text>
            {isOn ? <Badge color="good">On</Badge> : null}
          </Group>
          <Text size="sm" c="dimmed">
            {facts}
          </Text>
        </>
      }
    >
      {children}
    </ListLine>
  )
}
