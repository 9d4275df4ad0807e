import { NativeSelect } from '@mantine/core'
import { IconArrowsSort } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useStore } from 'zustand'
import { QueueOrder, QueueOrderAnswer } from '../../../../shared/queue-order.ts'
import { api, messageOf } from '../../../lib/api-client.ts'
import { toast } from '../../../ui/toast.tsx'
import { ORDER_WORDS } from '../../../widgets/queue/queue-order-words.ts'
import { type LiveRoomStore, queueOrderOf } from '../live-room/live-room-store.ts'
import { ChoiceLine } from './ChoiceLine.tsx'
import classes from './turns.module.css'

const CHOICES = QueueOrder.options.map((value) => ({
  value,
  label: ORDER_WORDS[value].replace(/^./, (first) => first.toUpperCase()),
}))

type QueueOrderProps = { store: LiveRoomStore; disabled: boolean }

/** Says whose turn it is next, and opens the field that changes it. */
export function QueueOrderLine({ store, disabled }: QueueOrderProps) {
  const order = useStore(store, queueOrderOf)
  return (
    <ChoiceLine
      icon={<IconArrowsSort size={16} stroke={1.75} aria-hidden="true" className={classes.lineIcon} />}
      words={`Order: ${ORDER_WORDS[order]}`}
      changeLabel="Change the order of raised hands"
      py={2}
      mih="2.25rem"
      wrap="nowrap"
    >
      <QueueOrderField store={store} disabled={disabled} />
    </ChoiceLine>
  )
}

/** Saves a choice when it is made. */
function QueueOrderField({ store, disabled }: QueueOrderProps) {
  const saved = useStore(store, queueOrderOf)
  const { mutate, isPending, variables } = useMutation({
    scope: { id: 'queue-order' }, // the last choice is saved last
    mutationFn: (queue_order: QueueOrder) => api(QueueOrderAnswer, 'PUT', '/host/queue-order', { queue_order }),
    onSuccess: ({ data }) => store.setQueueOrder(data.queue_order),
    onError: (error) => toast.error(messageOf(error, 'Failed to save the order')),
  })
  return (
    <NativeSelect
      size="xs"
      flex={1}
      miw={0}
      classNames={{ input: classes.field }}
      aria-label="Order of raised hands"
      autoFocus
      data={CHOICES}
      value={isPending ? variables : saved}
      disabled={disabled}
      onChange={({ currentTarget: { value } }) => {
        const chosen = QueueOrder.safeParse(value)
        if (chosen.success) mutate(chosen.data)
      }}
    />
  )
}
