import { Checkbox, Group, NativeSelect } from '@mantine/core'
import { IconHourglass } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useStore } from 'zustand'
import { LONGEST_TURN_MINUTES, type TurnLimit, TurnLimitAnswer } from '../../../../shared/turns.ts'
import { api, messageOf } from '../../../lib/api-client.ts'
import { toast } from '../../../ui/toast.tsx'
import { type LiveRoomStore, turnLimitOf } from '../live-room/live-room-store.ts'

const MINUTES = Array.from({ length: LONGEST_TURN_MINUTES }, (_, index) => String(index + 1))
const CHOICES = [
  { value: '', label: 'No limit' },
  ...MINUTES.map((value) => ({ value, label: value === '1' ? '1 minute' : `${value} minutes` })),
]

/** Sets how long each turn may take; a choice is saved when it is made. */
export function TurnLimitFields({ store, disabled }: { store: LiveRoomStore; disabled: boolean }) {
  const saved = useStore(store, turnLimitOf)
  const { mutate, isPending, variables } = useMutation({
    scope: { id: 'turn-limit' }, // the last choice is saved last
    mutationFn: (limit: TurnLimit) => api(TurnLimitAnswer, 'PUT', '/host/turn-limit', limit),
    onSuccess: ({ data }) => store.setTurnLimit(data.turn_limit),
    onError: (error) => toast.error(messageOf(error, 'Failed to save the turn limit')),
  })
  const { minutes, mutes } = isPending ? variables : saved
  return (
    <Group component="fieldset" gap="0.375rem 0.75rem" flex="none" m={0} px={18} py={8} bd="none" fz={12} c="dimmed">
      <legend className="unseen">Time for each turn</legend>
      <IconHourglass size={16} stroke={1.75} aria-hidden="true" />
      <span aria-hidden="true">Each turn</span>
      <NativeSelect
        size="xs"
        aria-label="Time for each turn"
        data={CHOICES}
        value={minutes === null ? '' : String(minutes)}
        disabled={disabled}
        onChange={({ currentTarget: { value } }) =>
          mutate({ minutes: value === '' ? null : Number(value), mutes: value !== '' && mutes })
        }
      />
      {minutes === null ? null : (
        <Checkbox
          size="xs"
          label="Mute at the end"
          checked={mutes}
          disabled={disabled}
          onChange={({ currentTarget: { checked } }) => mutate({ minutes, mutes: checked })}
        />
      )}
    </Group>
  )
}
