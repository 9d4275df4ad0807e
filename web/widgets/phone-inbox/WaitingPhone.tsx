import { Box, Button, Group, Text } from '@mantine/core'
import { type MouseEvent, useRef } from 'react'
import type { PhoneRequest, PhoneRequestDecision } from '../../../shared/phone-requests.ts'
import { ApiError, messageOf } from '../../lib/api-client.ts'
import { useDecidePhoneRequest } from '../../queries/phone-requests.ts'
import { formatMoment, formatSince } from '../../ui/format-date.ts'
import { PersonText } from '../../ui/PersonText.tsx'
import { toast } from '../../ui/toast.tsx'
import type { ClickGuard } from '../../ui/use-click-guard.ts'
import { platformName } from '../room-user/platform-name.ts'
import classes from './phone-inbox.module.css'

/** Shows a waiting phone with Refuse and Approve. */
export function WaitingPhone({ request, isMeant }: { request: PhoneRequest; isMeant: ClickGuard }) {
  const { id, user_id, username, device_model, requested_at } = request
  const { mutateAsync, isPending, variables } = useDecidePhoneRequest()
  const isDeciding = useRef(false) // `isPending` is true only after the next render
  const phone = [device_model, platformName(request)].filter(Boolean).join(' · ')

  async function decide(decision: PhoneRequestDecision) {
    if (isDeciding.current) return
    isDeciding.current = true
    try {
      await mutateAsync({ id, requested_at, decision })
      toast.success(decision === 'approve' ? approvedText(username) : refusedText(username))
    } catch (error) {
      toast.error(isOver(error) ? overText(username) : messageOf(error, `Failed to ${decision} the phone`))
    } finally {
      isDeciding.current = false
    }
  }

  const answer = (decision: PhoneRequestDecision) => ({
    px: 'sm',
    className: classes.answer,
    loading: isPending && variables.decision === decision,
    disabled: isPending,
    onClick: (event: MouseEvent) => {
      if (isMeant(id, event)) void decide(decision)
    },
  })
  return (
    <li className={classes.request}>
      <Box flex={1} miw={0} lh={1.4}>
        <PersonText text={username} className={`two-lines ${classes.name}`} wraps />
        <PersonText text={phone} className={`two-lines ${classes.phone}`} wraps />
        <Text component="span" fz={12} c="dimmed" display="block">
          <bdi dir="ltr">{user_id}</bdi> · since{' '}
          <time dateTime={requested_at} title={formatMoment(requested_at)}>
            {formatSince(requested_at)}
          </time>
        </Text>
      </Box>
      <Group gap="xs" wrap="nowrap" flex="none">
        <Button {...answer('refuse')} variant="default" aria-label={`Refuse the new phone of ${username}`}>
          Refuse
        </Button>
        <Button {...answer('approve')} variant="light" aria-label={`Approve the new phone of ${username}`}>
          Approve
        </Button>
      </Group>
    </li>
  )
}

/** The request was answered in another window, has expired, or is no longer needed. */
function isOver(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.code === 'state_changed') return false // the message says what has changed
  return error.status === 404 || error.status === 409
}

const approvedText = (name: string) => `The old phone is signed out, and ${name} can sign in from the new one.`
const refusedText = (name: string) => `Refused. ${name} can still sign in from the old phone.`
const overText = (name: string) => `The new phone of ${name} no longer waits: it was answered elsewhere, or too late.`
