import { Group, Paper, Text } from '@mantine/core'
import type { MouseEvent } from 'react'
import { useMemo } from 'react'
import type { Attendee } from '../../../../shared/seat.ts'
import { messageOf } from '../../../lib/api-client.ts'
import { useRights } from '../../../lib/session/rights.ts'
import { PersonText } from '../../../ui/PersonText.tsx'
import { SteadyButton } from '../../../ui/SteadyButton.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useClickGuard } from '../../../ui/use-click-guard.ts'
import type { SeatStore } from '../../../widgets/seat/seat-store.ts'
import { type ActOnAttendee, useActOnAll } from './act-on-attendee.ts'
import classes from './guests.module.css'

type WaitingRoomProps = {
  waiting: readonly Attendee[]
  seat: SeatStore
  disabled: boolean
  busyKeys: ReadonlySet<string>
  onAct: ActOnAttendee
}

/** Lists who waits in Zoom's waiting room, the longest wait first. */
export function WaitingRoom({ waiting, seat, disabled, busyKeys, onAct }: WaitingRoomProps) {
  const { managesUsers } = useRights()
  const { mutateAsync, isPending } = useActOnAll(seat, 'admit-all')
  const keys = useMemo(() => waiting.map(({ key }) => key), [waiting])
  const isMeant = useClickGuard(keys)
  if (waiting.length === 0) return null

  async function handleAdmitAll() {
    try {
      const outcome = await mutateAsync()
      if (outcome !== 'done') toast.error('Zoom did not admit all of them')
    } catch (error) {
      toast.error(messageOf(error, 'Failed to admit all'))
    }
  }

  return (
    <Paper component="section" aria-label="Waiting room">
      <Group justify="space-between" gap="xs" className={classes.row}>
        <Text fw={650} size="sm">
          {waiting.length} in Zoom’s waiting room
        </Text>
        {managesUsers && waiting.length > 1 ? (
          <SteadyButton
            size="xs"
            variant="default"
            off={disabled}
            busy={isPending}
            onClick={() => void handleAdmitAll()}
          >
            Admit all
          </SteadyButton>
        ) : null}
      </Group>
      <ul className={classes.rows}>
        {waiting.map((attendee) => (
          <li key={attendee.key} className={classes.row}>
            <PersonText className={classes.who} text={attendee.name} wraps />
            {managesUsers ? (
              <SteadyButton
                size="xs"
                variant="default"
                off={disabled}
                busy={busyKeys.has(attendee.key)}
                aria-label={`Admit ${attendee.name}`}
                onClick={(event: MouseEvent) => {
                  if (isMeant(attendee.key, event)) void onAct(attendee, 'admit')
                }}
              >
                Admit
              </SteadyButton>
            ) : null}
          </li>
        ))}
      </ul>
    </Paper>
  )
}
