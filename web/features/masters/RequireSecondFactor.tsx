import { Anchor, NativeSelect, Paper, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { RequiredFor } from '../../../shared/second-factor.ts'
import { ApiError, messageOf } from '../../lib/api-client.ts'
import { Loading } from '../../ui/base/Loading.tsx'
import { confirm } from '../../ui/confirm.tsx'
import { Failed } from '../../ui/Failed.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { toast } from '../../ui/toast.tsx'
import { useFailure } from '../../ui/use-failure.ts'
import classes from './masters.module.css'
import { security, useRequireSecondFactor } from './queries.ts'

const CHOICES: { value: RequiredFor; label: string }[] = [
  { value: 'nobody', label: 'Of no account' },
  { value: 'masters', label: 'Of masters' },
  { value: 'masters_and_hosts', label: 'Of masters, hosts and assistants' },
]

const QUESTIONS: Record<RequiredFor, { title: string; body: string; confirmLabel: string; done: string }> = {
  nobody: {
    title: 'Require no second factor?',
    body: 'Accounts keep the second factors that they have, and may remove them.',
    confirmLabel: 'Require none',
    done: 'No second factor is required now',
  },
  masters: {
    title: 'Require a second factor of masters?',
    body: 'Masters who have none can open only Account until they add one. Of hosts and assistants none is required.',
    confirmLabel: 'Require of masters',
    done: 'Masters need a second factor now',
  },
  masters_and_hosts: {
    title: 'Require a second factor of all?',
    body: 'Masters, hosts and assistants who have none can open only Account until they add one.',
    confirmLabel: 'Require of all',
    done: 'Masters, hosts and assistants need a second factor now',
  },
}

/** The masters' rule on who must have a second factor. */
export function RequireSecondFactor() {
  const query = useQuery(security)
  const failure = useFailure(query)
  const change = useRequireSecondFactor()
  const { error } = change
  const lacksOwn = error instanceof ApiError && error.code === 'conflict'

  async function handleChange(value: string) {
    const required = RequiredFor.parse(value)
    const { done, ...question } = QUESTIONS[required]
    if (!(await confirm(question))) return
    change.mutate(required, {
      onSuccess: () => toast.success(done),
      onError: (reason) => {
        if (reason instanceof ApiError && reason.code === 'conflict') return // shown below the list
        toast.error(messageOf(reason, 'Failed to change who needs a second factor'))
      },
    })
  }

  return (
    <Paper component="section" p="lg" aria-labelledby="require-factor">
      <Stack gap={20}>
        <div>
          <Title order={2} size="h3" id="require-factor">
            Second factor
          </Title>
          <Text size="sm" c="dimmed" mt={4}>
            An account that needs a second factor and has none can open only Account, until it has added one.
          </Text>
        </div>
        {query.data ? (
          <NativeSelect
            label="Require a second factor"
            className={classes.choice}
            data={CHOICES}
            value={query.data.require_second_factor}
            disabled={change.isPending}
            onChange={({ currentTarget }) => void handleChange(currentTarget.value)}
          />
        ) : failure ? (
          <Failed
            error={failure}
            title="Failed to load the rule"
            retrying={query.isFetching}
            onRetry={() => void query.refetch()}
          >
            {messageOf(failure, 'It could not be fetched. Check the connection, then try again.')}
          </Failed>
        ) : (
          <Loading label="Loading the rule..." />
        )}
        {lacksOwn ? (
          <Notice tone="warn">
            {error.message}{' '}
            <Anchor component={Link} to="/master/account" inherit underline="always">
              Open Account
            </Anchor>
          </Notice>
        ) : null}
      </Stack>
    </Paper>
  )
}
