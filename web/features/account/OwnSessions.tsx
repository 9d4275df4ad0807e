import { Badge, Box, Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { AccountSession } from '../../../shared/account.ts'
import { messageOf } from '../../lib/api-client.ts'
import { formatSince } from '../../ui/format-date.ts'
import { NotLoaded } from '../../ui/NotLoaded.tsx'
import { toast } from '../../ui/toast.tsx'
import { useClickGuard } from '../../ui/use-click-guard.ts'
import { sessions, useEndOtherSessions, useEndSession } from './queries.ts'

export function OwnSessions() {
  const list = useQuery(sessions)
  const endOthers = useEndOtherSessions()
  const others = list.data?.filter(({ is_current }) => !is_current) ?? []
  const isMeant = useClickGuard(others.map(({ id }) => id))

  const handleEndOthers = () =>
    endOthers.mutate(undefined, {
      onSuccess: (ended) => toast.success(ended === 1 ? '1 session ended' : `${ended} sessions ended`),
      onError: (error) => toast.error(messageOf(error, 'Failed to end the other sessions')),
    })

  return (
    <Paper component="section" p="lg" aria-labelledby="own-sessions">
      <Stack gap={20}>
        <Group justify="space-between" align="flex-start" gap="sm">
          <Box flex="1 1 16rem" miw={0}>
            <Title order={2} size="h3" id="own-sessions">
              Sessions
            </Title>
            <Text size="sm" c="dimmed" mt={4}>
              The browsers in which you are signed in. End those that you do not know, then change your password.
            </Text>
          </Box>
          {others.length > 0 ? (
            <Button variant="default" loading={endOthers.isPending} onClick={handleEndOthers}>
              End all others
            </Button>
          ) : null}
        </Group>
        {list.data ? (
          <Box component="ul">
            {list.data.map((session) => (
              <Line key={session.id} session={session} isMeant={isMeant} />
            ))}
          </Box>
        ) : (
          <NotLoaded query={list} loading="Loading sessions..." title="Failed to load the sessions" />
        )}
      </Stack>
    </Paper>
  )
}

type LineProps = { session: AccountSession; isMeant: ReturnType<typeof useClickGuard> }

function Line({ session, isMeant }: LineProps) {
  const { id, device, ip, signed_in_at, last_active_at, is_current } = session
  const end = useEndSession()
  const name = device ?? 'Unknown browser'

  const handleEnd = () =>
    end.mutate(id, {
      onSuccess: () => toast.success('Session ended'),
      onError: (error) => toast.error(messageOf(error, 'Failed to end the session')),
    })

  return (
    <Group component="li" justify="space-between" gap="sm" py="sm" style={{ borderTop: '1px solid var(--line)' }}>
      <Box flex="1 1 14rem" miw={0}>
        <Text fw={600}>{name}</Text>
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {ip ? `${ip} · ` : ''}signed in {formatSince(signed_in_at)} · last active {formatSince(last_active_at)}
        </Text>
      </Box>
      {is_current ? (
        <Badge color="good">This device</Badge>
      ) : (
        <Button
          variant="default"
          aria-label={`End the session of ${name}`}
          loading={end.isPending}
          onClick={(event) => isMeant(id, event) && handleEnd()}
        >
          End
        </Button>
      )}
    </Group>
  )
}
