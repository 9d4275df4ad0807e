import { Button } from '@mantine/core'
import { IconBellRinging } from '@tabler/icons-react'
import { messageOf } from '../../../lib/api-client.ts'
import { confirm } from '../../../ui/confirm.tsx'
import { toast } from '../../../ui/toast.tsx'
import type { SeatStore } from '../../../widgets/seat/seat-store.ts'
import { reasons, useActOnAll } from './act-on-attendee.ts'

const FAILED = 'Failed to ask everyone'

/** Lets Zoom ask everybody in the meeting to unmute, which rings on each of their devices. */
export function AskAll({ seat, disabled }: { seat: SeatStore; disabled: boolean }) {
  const { mutateAsync, isPending } = useActOnAll(seat, 'ask-unmute-all')

  async function handleAsk() {
    const isMeant = await confirm({
      title: 'Ask everyone in Zoom to unmute?',
      body: 'Zoom asks all who are muted in the meeting, users of Parley’s phone app too. Each microphone opens only if its owner agrees.',
      confirmLabel: 'Ask everyone',
    })
    if (!isMeant) return
    try {
      const outcome = await mutateAsync()
      if (outcome === 'done') toast.success('Zoom asks everyone to unmute')
      else toast.error(`${FAILED}. ${reasons[outcome]}`)
    } catch (error) {
      toast.error(messageOf(error, FAILED))
    }
  }

  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconBellRinging size={15} aria-hidden="true" />}
      disabled={disabled}
      loading={isPending}
      onClick={() => void handleAsk()}
    >
      Ask everyone in Zoom to unmute
    </Button>
  )
}
