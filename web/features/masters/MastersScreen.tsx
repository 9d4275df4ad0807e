import { Badge, Button, Group, Paper, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Master, MasterInvitation, MastersAnswer } from '../../../shared/masters.ts'
import { messageOf } from '../../lib/api-client.ts'
import { confirm } from '../../ui/confirm.tsx'
import { formatMoment, formatSince } from '../../ui/format-date.ts'
import { LineList, ListLine } from '../../ui/LineList.tsx'
import { NotLoaded } from '../../ui/NotLoaded.tsx'
import { Page } from '../../ui/Page.tsx'
import { toast } from '../../ui/toast.tsx'
import { type ClickGuard, useClickGuard } from '../../ui/use-click-guard.ts'
import { useKeptFocus } from '../../ui/use-kept-focus.ts'
import { FieldReport } from './FieldReport.tsx'
import { InviteForm } from './InviteForm.tsx'
import { masters, useCancelInvitation, useRemoveMaster } from './queries.ts'
import { RequireSecondFactor } from './RequireSecondFactor.tsx'

/** Lists the masters and the open invitations. */
export function MastersScreen() {
  const query = useQuery(masters)
  const { heading, keepFocus } = useKeptFocus()

  return (
    <Page title="Masters" subtitle="Who manages the hosts, and who is invited to." heading={heading}>
      {query.data ? (
        <List {...query.data} onGone={keepFocus} />
      ) : (
        <NotLoaded query={query} loading="Loading masters..." title="Failed to load the masters" />
      )}
      <InviteForm />
      <RequireSecondFactor />
      <FieldReport />
    </Page>
  )
}

type ListProps = MastersAnswer['data'] & { onGone: (pressed: Element) => void }

function List({ masters: all, invitations, onGone }: ListProps) {
  const isMeant = useClickGuard([...all, ...invitations].map(({ id }) => id))
  const guards = { isMeant, onGone }
  return (
    <Paper p="lg">
      <LineList>
        {all.map((master) => (
          <MasterLine key={master.id} master={master} isLast={all.length === 1} {...guards} />
        ))}
        {invitations.map((invitation) => (
          <InvitationLine key={invitation.id} invitation={invitation} {...guards} />
        ))}
      </LineList>
    </Paper>
  )
}

type Guards = { isMeant: ClickGuard; onGone: (pressed: Element) => void }

function MasterLine({ master, isLast, isMeant, onGone }: Guards & { master: Master; isLast: boolean }) {
  const { id, email, full_name, last_active_at, has_second_factor, is_you } = master
  const remove = useRemoveMaster()

  async function handleRemove(pressed: Element) {
    const isSure = await confirm({
      title: is_you ? 'Remove your own account?' : `Remove ${email}?`,
      body: `${is_you ? 'You are' : 'This master is'} signed out immediately. The invitations and reset links of this account no longer work. The log keeps the name.`,
      confirmLabel: 'Remove',
      danger: true,
    })
    if (!isSure) return
    remove.mutate(id, {
      onSuccess: () => {
        toast.success(`${email} removed`)
        onGone(pressed)
      },
      onError: (error) => toast.error(messageOf(error, 'Failed to remove the master')),
    })
  }

  return (
    <PersonLine
      name={full_name ?? email}
      facts={
        <>
          {full_name ? <bdi>{email} · </bdi> : null}
          {last_active_at ? `Last active ${formatSince(last_active_at)}` : 'Not active in the last 30 days'}
          {isLast ? ' · The last master cannot be removed' : null}
        </>
      }
      badges={
        <>
          {is_you ? <Badge color="brand">You</Badge> : null}
          {has_second_factor ? (
            <Badge color="good">Second factor</Badge>
          ) : (
            <Badge color="quiet">No second factor</Badge>
          )}
        </>
      }
    >
      {isLast ? null : (
        <Button
          variant="default"
          c="var(--bad)"
          aria-label={`Remove ${email}`}
          loading={remove.isPending}
          onClick={(event) => isMeant(id, event) && void handleRemove(event.currentTarget)}
        >
          Remove
        </Button>
      )}
    </PersonLine>
  )
}

function InvitationLine({ invitation, isMeant, onGone }: Guards & { invitation: MasterInvitation }) {
  const { id, email, made_by, expires_at } = invitation
  const cancel = useCancelInvitation()

  async function handleCancel(pressed: Element) {
    const isSure = await confirm({
      title: `Cancel the invitation of ${email}?`,
      body: 'Its link no longer works.',
      confirmLabel: 'Cancel invitation',
      cancelLabel: 'Keep it',
      danger: true,
    })
    if (!isSure) return
    cancel.mutate(id, {
      onSuccess: () => {
        toast.success('Invitation cancelled')
        onGone(pressed)
      },
      onError: (error) => toast.error(messageOf(error, 'Failed to cancel the invitation')),
    })
  }

  return (
    <PersonLine
      id={`invitation-${id}`}
      name={email}
      facts={
        <>
          Invited {made_by ? 'by ' : 'on the server'}
          {made_by ? <bdi>{made_by}</bdi> : null}, until {formatMoment(expires_at)}
        </>
      }
      badges={<Badge color="warn">Invited</Badge>}
    >
      <Button
        variant="default"
        aria-describedby={`invitation-${id}`}
        loading={cancel.isPending}
        onClick={(event) => isMeant(id, event) && void handleCancel(event.currentTarget)}
      >
        Cancel invitation
      </Button>
    </PersonLine>
  )
}

type PersonLineProps = { id?: string; name: string; facts: ReactNode; badges: ReactNode; children: ReactNode }

function PersonLine({ id, name, facts, badges, children }: PersonLineProps) {
  return (
    <ListLine
      words={
        <>
          <Group gap="xs">
            <Text fw={600} id={id}>
              <bdi>{name}</bdi>
            </Text>
            {badges}
          </Group>
          <Text size="sm" c="dimmed" mt={2}>
            {facts}
          </Text>
        </>
      }
    >
      {children}
    </ListLine>
  )
}
