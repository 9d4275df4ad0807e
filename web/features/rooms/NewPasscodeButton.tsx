import { Button, Loader } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { messageOf } from '../../lib/api-client.ts'
import { useNewPasscode } from '../../queries/rooms.ts'
import { confirm } from '../../ui/confirm.tsx'
import { toast } from '../../ui/toast.tsx'

export function NewPasscodeButton() {
  const { mutateAsync, isPending } = useNewPasscode()

  async function handleClick() {
    if (isPending) return
    const agreed = await confirm({
      title: 'New passcode?',
      body: 'The old passcode stops working. Users who are in the Zoom meeting stay in it, and phones get the new passcode when they next join.',
      confirmLabel: 'Set new passcode',
    })
    if (!agreed) return
    try {
      const { message, data } = await mutateAsync()
      const show = data.changed ? toast.success : toast.error
      show(message ?? 'Done')
    } catch (error) {
      toast.error(messageOf(error, 'Failed to set a new passcode'))
    }
  }

  return (
    <Button
      variant="default"
      leftSection={isPending ? <Loader size={17} color="currentColor" /> : <IconKey size={17} aria-hidden="true" />}
      aria-busy={isPending} // not disabled, since the dialog returns the focus to it
      onClick={() => void handleClick()}
    >
      New passcode
    </Button>
  )
}
