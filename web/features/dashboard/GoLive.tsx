import { Badge, Box, Button, Group, Paper, Text, ThemeIcon, Title } from '@mantine/core'
import { IconAlertTriangle, IconArrowRight, IconCheck, IconX } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { GoLiveCheck } from '../../../shared/go-live.ts'

const icons = { good: IconCheck, warn: IconAlertTriangle, bad: IconX }
const words = { good: 'In order', warn: 'Look at this', bad: 'In the way' }

type GoLiveProps = {
  checks: GoLiveCheck[]
  /** True while users are connected or the meeting runs, which hides the checks that are in order. */
  isLive: boolean
}

/** Lists the checks before a meeting, each with advice. */
export function GoLive({ checks: all, isLive }: GoLiveProps) {
  const checks = isLive ? all.filter(({ tone }) => tone !== 'good') : all
  if (isLive && checks.length === 0) return null

  return (
    <Paper component="section" style={{ overflow: 'hidden' }} aria-labelledby="go-live">
      <Group justify="space-between" gap="xs" px={22} py="md">
        <Title order={2} id="go-live" fz="lg">
          {isLive ? 'Needs attention' : 'Ready to go live?'}
        </Title>
        {isLive ? null : <Outcome checks={checks} />}
      </Group>
      <ul className="lined-grid" data-wide>
        {checks.map((check) => (
          <Line key={check.subject} check={check} />
        ))}
      </ul>
    </Paper>
  )
}

function Outcome({ checks }: { checks: GoLiveCheck[] }) {
  const open = checks.filter(({ tone }) => tone !== 'good').length
  if (open === 0) return <Badge color="good">All in order</Badge>
  const isBad = checks.some(({ tone }) => tone === 'bad')
  return <Badge color={isBad ? 'bad' : 'warn'}>Needs attention</Badge>
}

function Line({ check: { tone, title, advice, link } }: { check: GoLiveCheck }) {
  const Icon = icons[tone]
  return (
    <Group component="li" align="flex-start" gap="xs" mih="4rem" px={22} py="sm" style={{ overflowWrap: 'anywhere' }}>
      <ThemeIcon color={tone} radius="xl" size={28} role="img" aria-label={words[tone]}>
        <Icon size={16} stroke={2.2} aria-hidden="true" />
      </ThemeIcon>
      <Box flex={1} miw="10rem">
        <Text fw={600} lh="1.75rem">
          {title}
        </Text>
        {advice ? (
          <Text size="sm" c="dimmed" lh={1.45}>
            {advice}
          </Text>
        ) : null}
      </Box>
      {link ? (
        <Button
          component={Link}
          to={link.to}
          variant="subtle"
          size="compact-sm"
          rightSection={<IconArrowRight size={15} aria-hidden="true" />}
        >
          {link.label}
        </Button>
      ) : null}
    </Group>
  )
}
