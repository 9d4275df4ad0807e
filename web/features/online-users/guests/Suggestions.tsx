import { Group, Paper } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type MouseEvent, useMemo, useState } from 'react'
import type { Attendee } from '../../../../shared/seat.ts'
import { messageOf } from '../../../lib/api-client.ts'
import { useRights } from '../../../lib/session/rights.ts'
import { oneRoomUser } from '../../../queries/room-users.ts'
import { SteadyButton } from '../../../ui/SteadyButton.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useClickGuard } from '../../../ui/use-click-guard.ts'
import { useLinkAttendee } from './act-on-attendee.ts'
import classes from './guests.module.css'

/** Each needs a look, and more would push the guests out of sight. */
const SHOWN = 3

type SuggestionsProps = { guests: readonly Attendee[]; disabled: boolean }

/** Asks whether a guest is the one user who has the same name. Nothing is linked without an answer. */
export function Suggestions({ guests, disabled }: SuggestionsProps) {
  const { managesUsers } = useRights()
  const [refused, setRefused] = useState<ReadonlySet<string>>(new Set())
  const asked = guests.filter((guest) => guest.suggestion !== null && !refused.has(guest.key)).slice(0, SHOWN)
  const keys = asked.map(({ key }) => key).join(' ')
  const isMeant = useClickGuard(useMemo(() => keys.split(' '), [keys]))
  const { mutateAsync, isPending } = useLinkAttendee()
  if (!managesUsers || asked.length === 0) return null

  async function link({ key, suggestion: user_id, name }: Attendee, remember: boolean) {
    try {
      await mutateAsync({ key, user_id, remember })
    } catch (error) {
      toast.error(messageOf(error, `Failed to link ${name}`))
    }
  }

  return (
    <Paper component="section" aria-label="Who is who">
      <ul className={classes.rows}>
        {asked.map((guest) => {
          const handle = (act: () => void) => (event: MouseEvent) => {
            if (isMeant(guest.key, event)) act()
          }
          return (
            <li key={guest.key} className={classes.row}>
              <Question guest={guest} />
              <Group gap={6}>
                <SteadyButton
                  size="xs"
                  variant="default"
                  off={disabled || isPending}
                  onClick={handle(() => void link(guest, false))}
                >
                  Yes
                </SteadyButton>
                <SteadyButton
                  size="xs"
                  variant="default"
                  onClick={handle(() => setRefused(new Set([...refused, guest.key])))}
                >
                  No
                </SteadyButton>
                <SteadyButton
                  size="xs"
                  variant="default"
                  off={disabled || isPending}
                  onClick={handle(() => void link(guest, true))}
                >
                  Yes, always
                </SteadyButton>
              </Group>
            </li>
          )
        })}
      </ul>
    </Paper>
  )
}

/** The two have the same name, so the user's ID tells which user it is. */
function Question({ guest: { name, suggestion } }: { guest: Attendee }) {
  const { data } = useQuery({ ...oneRoomUser(suggestion ?? ''), refetchInterval: false })
  const user = data?.user
  return (
    <span className={classes.who}>
      “<bdi>{name}</bdi>” is in Zoom. Is this <bdi>{user?.username ?? name}</bdi>
      {user ? ` (${user.user_id})` : ''}?
    </span>
  )
}
