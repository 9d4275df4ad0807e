import { Badge, Button, Group, Paper, Progress, Text } from '@mantine/core'
import type { PresenceCounts } from './use-presence.ts'

/** Shows how many users are here, updated while the page is open. */
export function PresenceSummary({ presence, onMissing }: { presence: PresenceCounts; onMissing: () => void }) {
  const { total, here, missing } = presence
  return (
    <Paper component="section" aria-label="Now" px="lg" py="md">
      <Group justify="space-between" gap="xs">
        <Group gap="sm">
          <Badge color="good">Live</Badge>
          <Text fw={600}>{presenceWords(presence)}</Text>
        </Group>
        {missing.length > 0 ? (
          <Button variant="default" size="xs" onClick={onMissing}>
            Show who is missing
          </Button>
        ) : null}
      </Group>
      <Progress value={(here / total) * 100} color="var(--good)" size="sm" mt="sm" aria-hidden="true" />
    </Paper>
  )
}

export function presenceWords({ total, here, missing }: PresenceCounts): string {
  const [all, present, away] = [total, here, missing.length].map((count) => count.toLocaleString('en'))
  if (missing.length === 0) return total === 1 ? 'The only user is here' : `All ${all} are here`
  const of = `${present} of ${all} ${here === 1 ? 'is' : 'are'} here`
  return `${of}; ${away} ${missing.length === 1 ? 'is' : 'are'} missing`
}
