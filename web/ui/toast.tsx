import { notifications } from '@mantine/notifications'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'

const SHOWN_MS = 4000
const CLOSE = { 'aria-label': 'Dismiss' }

/** A short word at the top right. The screen raises it, never a query. */
export const toast = {
  success(message: string) {
    notifications.show({
      message,
      color: 'green',
      icon: <IconCheck size={16} aria-hidden="true" />,
      autoClose: SHOWN_MS,
      withBorder: true,
      closeButtonProps: CLOSE,
    })
  },
  error(message: string) {
    notifications.show({
      message,
      color: 'red',
      icon: <IconAlertTriangle size={16} aria-hidden="true" />,
      autoClose: SHOWN_MS,
      withBorder: true,
      closeButtonProps: CLOSE,
      role: 'alert',
    })
  },
}
