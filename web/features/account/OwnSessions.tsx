import { Badge, Box, Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { AccountSession } from '../../../shared/account.ts'
import { messageOf } from '../../lib/api-client.ts'
import { Loading } from '../../ui/base/Loading.tsx'
import { Failed } from '../../ui/Failed.tsx'
import { formatSince } from '../../ui/format-date.ts'
import { LineList, ListLine } from '../../ui/LineList.tsx'
import { toast } from '../../ui/toast.tsx'
import { useClickGuard } from '../../ui/use-click-guard.ts'
import { useFailure } from '../../ui/use-failure.ts'
import { useKeptFocus } from '../../ui/use-kept-focus.ts'
import classes from './OwnSessions.module.css'
import { sessions, useEndOtherSessions, useEndSession } from './queries.ts'

export function OwnSessions() {
  const list = useQuery(sessions)
  const failure = useFailure(list)
  const { heading, keepFocus } = useKeptFocus()
  const endOthers = useEndOtherSessions()
  const others = list.data?.filter(({ is_current }) => !is_current) ?? []
  const isMeant = useClickGuard(others.map(({ id }) => id))
  const current = list.data?.filter(({ is_current }) => is_current) ?? []

  const handleEndOthers = (pressed: Element) =>
    endOthers.mutate(undefined, {
      onSuccess: (ended) => {
        toast.success(ended === 1 ? '1 session ended' : `${ended} sessions ended`)
        keepFocus(pressed)
      },
      onError: (error) => toast.error(messageOf(error, 'Failed to end the other sessions')),
    })

  return (
    <Paper component="section" p="lg" aria-labelledby="own-sessions">
      <Stack gap={20}>
        <Group justify="space-between" align="flex-start" gap="sm">
          <Box flex="1 1 16rem" miw={0}>
            <Title order={2} size="h3" id="own-sessions" ref={heading} tabIndex={-1} className={classes.title}>
              Sessions
            </Title>
            <Text size="sm" c="dimmed" mt={4}>
              The browsers in which you are signed in. End those that you do not know, then change your password.
            </Text>
          </Box>
          {others.length > 0 ? (
            <Button
              variant="default"
              loading={endOthers.isPending}
              onClick={({ currentTarget }) => handleEndOthers(currentTarget)}
            >
              End all others
            </Button>
          ) : null}
        </Group>
        {list.data ? (
          <LineList>
            {[...current, ...others].map((session) => (
              <SessionLine key={session.id} session={session} isMeant={isMeant} onEnded={keepFocus} />
            ))}
          </LineList>
        ) : failure ? (
          <Failed
            error={failure}
            title="Failed to load the sessions"
            retrying={list.isFetching}
            onRetry={() => void list.refetch()}
          >
            {messageOf(failure, 'The list could not be fetched. Check the connection, then try again.')}
          </Failed>
        ) : (
          <Loading label="Loading sessions..." />
        )}
      </Stack>
    </Paper>
  )
}

type SessionLineProps = {
  session: AccountSession
  isMeant: ReturnType<typeof useClickGuard>
  onEnded: (pressed: Element) => void
}

function SessionLine({ session, isMeant, onEnded }: SessionLineProps) {
  const { id, device, ip, signed_in_at, last_active_at, is_current } = session
  const end = useEndSession()
  const name = device ?? 'Unknown browser'

  const handleEnd = (pressed: Element) =>
    end.mutate(id, {
      onSuccess: () => {
        toast.success('Session ended')
        onEnded(pressed)
      },
      onError: (error) => toast.error(messageOf(error, 'Failed to end the session')),
    })

  return (
    <ListLine
      words={
        <>
          <Group gap="xs">
            <Text fw={600}>{name}</Text>
            {is_current ? <Badge color="good">This device</Badge> : null}
          </Group>
          <Text size="sm" c="dimmed" className={classes.facts}>
            {ip ? <span>{ip} · </span> : null}
            <span>signed in {formatSince(signed_in_at)} · </span>
            <span>last active {formatSince(last_active_at)}</span>
          </Text>
        </>
      }
    >
      {is_current ? null : (
        <Button
          variant="default"
          flex="none"
          aria-label={`End the session of ${name}`}
          loading={end.isPending}
          onClick={(event) => isMeant(id, event) && handleEnd(event.currentTarget)}
        >
          End
        </Button>
      )}
    </ListLine>
  )
}
