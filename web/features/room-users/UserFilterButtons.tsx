import { Button, Group, Popover, Stack, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconCheck, IconChevronDown } from '@tabler/icons-react'
import { useState } from 'react'
import { formatDay } from '../../ui/format-date.ts'

type FilterButtonProps = { label: string; count: number; pressed: boolean; onPress: () => void }

export function FilterButton({ label, count, pressed, onPress }: FilterButtonProps) {
  return (
    <Button
      {...look(pressed)}
      aria-pressed={pressed}
      leftSection={pressed ? <IconCheck size={15} aria-hidden="true" /> : undefined}
      onClick={onPress}
    >
      {label} {count.toLocaleString('en')}
    </Button>
  )
}

const look = (isOn: boolean) => ({
  size: 'compact-sm',
  radius: 'xl',
  fw: isOn ? 600 : 400,
  variant: 'default',
  ...(isOn && { c: 'var(--brand)', bg: 'var(--brand-soft)', bd: '1px solid var(--brand)' }),
})

const DAYS_AGO = [7, 30, 90]

type SeenBeforeFilterProps = { day: string | null; onDay: (day: string | null) => void }

/** Filters users who have not been online since a day. */
export function SeenBeforeFilter({ day, onDay }: SeenBeforeFilterProps) {
  const [isOpen, { toggle, close }] = useDisclosure(false)
  const [text, setText] = useState(day ?? '')
  function choose(chosen: string | null) {
    setText(chosen ?? '')
    onDay(chosen)
    close()
  }
  return (
    <Popover opened={isOpen} onChange={close} position="bottom-start" shadow="md" trapFocus returnFocus {...inPage}>
      <Popover.Target>
        <Button
          {...look(day !== null)}
          leftSection={day === null ? undefined : <IconCheck size={15} aria-hidden="true" />}
          rightSection={<IconChevronDown size={14} aria-hidden="true" />}
          onClick={toggle}
        >
          {day === null ? 'Last seen before' : `Last seen before ${formatDay(`${day}T00:00`)}`}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Last seen before">
        <Stack
          component="form"
          gap="sm"
          onSubmit={(event) => {
            event.preventDefault()
            choose(text || null)
          }}
        >
          <Group gap={6}>
            {DAYS_AGO.map((days) => (
              <Button key={days} size="compact-sm" variant="default" onClick={() => choose(dayBefore(days))}>
                {days} days ago
              </Button>
            ))}
          </Group>
          <TextInput type="date" label="Day" value={text} onChange={(event) => setText(event.currentTarget.value)} />
          <Text size="xs" c="dimmed" maw="16rem">
            Shows who has been online before, but not since that day.
          </Text>
          <Group gap="xs" justify="flex-end">
            {day === null ? null : (
              <Button variant="default" size="xs" onClick={() => choose(null)}>
                Any day
              </Button>
            )}
            <Button type="submit" size="xs" disabled={text === ''}>
              Show
            </Button>
          </Group>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}

const inPage = { portalProps: { target: '#content' } }

function dayBefore(days: number): string {
  return Temporal.Now.plainDateISO().subtract({ days }).toString()
}
