import { Button, Group, Text } from '@mantine/core'

type BatchPickerProps = { from: number; size: number; total: number; onFrom: (from: number) => void }

/** Pages through more items than are shown at a time; empty if all are shown. */
export function BatchPicker({ from, size, total, onFrom }: BatchPickerProps) {
  if (total <= size) return null
  const to = Math.min(from + size, total)
  return (
    <Group gap="xs" mt="sm" role="group" aria-label="Batches">
      <Text fw={600} role="status" mr="auto">
        {(from + 1).toLocaleString('en')} to {to.toLocaleString('en')} of {total.toLocaleString('en')}
      </Text>
      <Button size="xs" variant="default" disabled={from === 0} onClick={() => onFrom(Math.max(0, from - size))}>
        Previous {size}
      </Button>
      <Button size="xs" variant="default" disabled={to === total} onClick={() => onFrom(to)}>
        {to < total ? `Next ${Math.min(size, total - to)}` : `Next ${size}`}
      </Button>
    </Group>
  )
}
