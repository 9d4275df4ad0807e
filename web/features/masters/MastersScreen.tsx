import { Button, Group, Paper, Stack, Text, TextInput, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { messageOf } from '../../lib/api-client.ts'
import { copyText } from '../../lib/copy-text.ts'
import { Loading } from '../../ui/base/Loading.tsx'
import { confirm } from '../../ui/confirm.tsx'
import { Failed } from '../../ui/Failed.tsx'
import { formatMoment, formatSince } from '../../ui/format-date.ts'
import { Page } from '../../ui/Page.tsx'
import { toast } from '../../ui/toast.tsx'
import { useFailure } from '../../ui/use-failure.ts'
import { masters, useCancelInvitation, useInviteMaster, useRemoveMaster } from './queries.ts'

/** Lists the masters and the open invitations. */
export function MastersScreen() {
  const list = useQuery(masters)
  const failure = useFailure(list)
  const cancel = useCancelInvitation()
  const remove = useRemoveMaster()

  async function handleRemove(id: string, email: string) {
    const isMeant = await confirm({
      title: `Remove ${email}?`,
      body: 'This master is signed out immediately. Its links and invitations are void, and its name stays in the log.',
      confirmLabel: 'Remove',
      danger: true,
    })
    if (!isMeant) return
    remove.mutate(id, {
      onSuccess: () => toast.success(`${email} removed`),
      onError: (error) => toast.error(messageOf(error, 'Failed to remove the master')),
    })
  }

  const handleCancel = (id: string) =>
    cancel.mutate(id, {
      onSuccess: () => toast.success('Invitation cancelled'),
      onError: (error) => toast.error(messageOf(error, 'Failed to cancel the invitation')),
    })

  return (
    <Page title="Masters" subtitle="Who manages the hosts, and who is invited to.">
      <InviteMaster />
      {list.data ? (
        <Paper p="lg">
          <Stack gap="md">
            {list.data.masters.map(({ id, email, full_name, last_active_at, has_second_factor, is_you }) => (
              <Group key={id} justify="space-between" gap="sm">
                <div>
                  <Text fw={600}>
                    <bdi>{full_name ?? email}</bdi>
                    {is_you ? ' (you)' : ''}
                  </Text>
                  <Text size="sm" c="dimmed">
                    {email} · {has_second_factor ? 'second factor' : 'no second factor'} ·{' '}
                    {last_active_at ? `active ${formatSince(last_active_at)}` : 'not active lately'}
                  </Text>
                </div>
                <Button variant="default" aria-label={`Remove ${email}`} onClick={() => void handleRemove(id, email)}>
                  Remove
                </Button>
              </Group>
            ))}
            {list.data.invitations.map(({ id, email, expires_at }) => (
              <Group key={id} justify="space-between" gap="sm">
                <div>
                  <Text fw={600}>
                    <bdi>{email}</bdi>
                  </Text>
                  <Text size="sm" c="dimmed">
                    Invited, until {formatMoment(expires_at)}
                  </Text>
                </div>
                <Button variant="default" onClick={() => handleCancel(id)}>
                  Cancel invitation
                </Button>
              </Group>
            ))}
          </Stack>
        </Paper>
      ) : failure ? (
        <Failed
          error={failure}
          title="Failed to load the masters"
          retrying={list.isFetching}
          onRetry={() => void list.refetch()}
        >
          {messageOf(failure, 'The list could not be fetched. Check the connection, then try again.')}
        </Failed>
      ) : (
        <Loading label="Loading masters..." />
      )}
    </Page>
  )
}

function InviteMaster() {
  const [email, setEmail] = useState('')
  const invite = useInviteMaster()
  const made = invite.data?.data

  function handleSubmit(event: FormEvent) {
    event.preventDefault()
    invite.mutate(email, {
      onSuccess: () => setEmail(''),
      onError: (error) => toast.error(messageOf(error, 'Failed to make the invitation')),
    })
  }

  async function copy(url: string) {
    try {
      await copyText(Promise.resolve(url))
      toast.success('Link copied')
    } catch {
      toast.error('The link could not be copied. Select it, then copy it yourself.')
    }
  }

  return (
    <Paper p="lg" component="form" onSubmit={handleSubmit}>
      <Stack gap="md">
        <Title order={2} size="h3">
          Invite master
        </Title>
        <Group align="flex-end" gap="xs">
          <TextInput
            label="Email"
            type="email"
            required
            autoComplete="off"
            flex="1 1 16rem"
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <Button type="submit" loading={invite.isPending}>
            Invite master
          </Button>
        </Group>
        {made ? (
          <Group align="flex-end" gap="xs">
            <TextInput
              label={`Invitation link for ${made.invitation.email}`}
              description={`Works once, until ${formatMoment(made.invitation.expires_at)}. It is shown only now.`}
              value={made.url}
              readOnly
              flex="1 1 16rem"
            />
            <Button variant="default" onClick={() => void copy(made.url)}>
              Copy link
            </Button>
          </Group>
        ) : null}
      </Stack>
    </Paper>
  )
}
