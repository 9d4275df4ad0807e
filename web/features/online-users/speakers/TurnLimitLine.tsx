import { Checkbox, NativeSelect } from '@mantine/core'
import { IconHourglass } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useStore } from 'zustand'
import { LONGEST_TURN_MINUTES, type TurnLimit, TurnLimitAnswer } from '../../../../shared/turns.ts'
import { api, messageOf } from '../../../lib/api-client.ts'
import { toast } from '../../../ui/toast.tsx'
import { type LiveRoomStore, turnLimitOf } from '../live-room/live-room-store.ts'
import { ChoiceLine } from './ChoiceLine.tsx'
import classes from './turns.module.css'

const MINUTES = Array.from({ length: LONGEST_TURN_MINUTES }, (_, index) => String(index + 1))
const CHOICES = [
  { value: '', label: 'No limit' },
  ...MINUTES.map((value) => ({ value, label: value === '1' ? '1 minute' : `${value} minutes` })),
]

type TurnLimitProps = { store: LiveRoomStore; disabled: boolean }

/** Says how long each turn may take, and opens the fields that change it. */
export function TurnLimitLine({ store, disabled }: TurnLimitProps) {
  const limit = useStore(store, turnLimitOf)
  return (
    <ChoiceLine
      icon={<IconHourglass size={16} stroke={1.75} aria-hidden="true" />}
      words={`Each turn: ${wordsOf(limit)}`}
      changeLabel="Change the time for each turn"
      py={8}
      mih="2.75rem"
    >
      <TurnLimitFields store={store} disabled={disabled} />
    </ChoiceLine>
  )
}

function wordsOf({ minutes, mutes }: TurnLimit): string {
  if (minutes === null) return 'no limit'
  return `${minutes} min${mutes ? ', then muted' : ''}`
}

/** Saves a choice when it is made. */
function TurnLimitFields({ store, disabled }: TurnLimitProps) {
  const saved = useStore(store, turnLimitOf)
  const { mutate, isPending, variables } = useMutation({
    scope: { id: 'turn-limit' }, // the last choice is saved last
    mutationFn: (limit: TurnLimit) => api(TurnLimitAnswer, 'PUT', '/host/turn-limit', limit),
    onSuccess: ({ data }) => store.setTurnLimit(data.turn_limit),
    onError: (error) => toast.error(messageOf(error, 'Failed to save the turn limit')),
  })
  const { minutes, mutes } = isPending ? variables : saved
  return (
    <>
      <NativeSelect
        size="xs"
        classNames={{ input: classes.field }}
        aria-label="Time for each turn"
        autoFocus
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
          classNames={{ body: classes.choice }}
          label="Mute at the end"
          checked={mutes}
          disabled={disabled}
          onChange={({ currentTarget: { checked } }) => mutate({ minutes, mutes: checked })}
        />
      )}
    </>
  )
}
