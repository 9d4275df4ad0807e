import { Box, Group, Switch, Text } from '@mantine/core'
import { IconDeviceMobileCheck } from '@tabler/icons-react'
import type { UseQueryResult } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import type { PhoneRequest } from '../../../shared/phone-requests.ts'
import { messageOf } from '../../lib/api-client.ts'
import { Loading } from '../../ui/base/Loading.tsx'
import { Failed } from '../../ui/Failed.tsx'
import { useClickGuard } from '../../ui/use-click-guard.ts'
import { useFailure } from '../../ui/use-failure.ts'
import { useChimeSetting } from './chime.ts'
import classes from './phone-inbox.module.css'
import { WaitingPhone } from './WaitingPhone.tsx'

const NONE: readonly PhoneRequest[] = []

/** The contents of the inbox's popover. */
export function WaitingPhones({ query }: { query: UseQueryResult<PhoneRequest[]> }) {
  const failure = useFailure(query)
  const requests = query.data ?? NONE
  const ids = useMemo(() => requests.map(({ id }) => id), [requests])
  const isMeant = useClickGuard(ids)
  const [isOn, setOn] = useChimeSetting()
  const heading = useRef<HTMLHeadingElement>(null)

  // The answered request's buttons disappear, so the focus moves to the top of the list.
  useEffect(() => {
    if (ids && document.activeElement === document.body) heading.current?.focus()
  }, [ids])

  return (
    <>
      <Box component="h2" ref={heading} tabIndex={-1} className={classes.title} m={0} px={18} pt={14} pb={8}>
        New phones
      </Box>
      {query.data === undefined ? (
        failure ? (
          <Failed error={failure} retrying={query.isFetching} onRetry={() => void query.refetch()}>
            {messageOf(failure, 'The list could not be fetched. Check the connection, then try again.')}
          </Failed>
        ) : (
          <Loading label="Loading new phones..." />
        )
      ) : requests.length === 0 ? (
        <Group align="flex-start" gap="sm" wrap="nowrap" px={18} pt={4} pb={18} c="dimmed">
          <IconDeviceMobileCheck size={20} stroke={1.75} aria-hidden="true" />
          <Text size="sm" lh={1.45}>
            <Text component="strong" inherit display="block" fw={600} c="var(--text)">
              No phone is waiting for approval
            </Text>
            Each user signs in from one phone. When a user tries another one, it can ask you here to replace the old
            one.
          </Text>
        </Group>
      ) : (
        <>
          <Text size="xs" c="dimmed" lh={1.45} px={18} pb="sm">
            Approve only a phone that you know to be the user’s. The old one is then signed out.
          </Text>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls must be reachable by keyboard */}
          <ul className="scroll-list" tabIndex={0} aria-label="Phones that wait for you">
            {requests.map((request) => (
              <WaitingPhone key={request.id} request={request} isMeant={isMeant} />
            ))}
          </ul>
        </>
      )}
      <div className={classes.foot}>
        <Switch
          size="sm"
          label="Sound when a phone waits"
          checked={isOn}
          onChange={({ currentTarget }) => setOn(currentTarget.checked)}
        />
      </div>
    </>
  )
}
