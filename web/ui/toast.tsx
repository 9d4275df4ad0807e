import { notifications } from '@mantine/notifications'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'

/** Raised by the screen, never by a query. */
export const toast = {
  success: (message: string) =>
    notifications.show({ message, 'data-tone': 'good', icon: <IconCheck size={16} />, role: 'status' }),
  error: (message: string) =>
    notifications.show({ message, 'data-tone': 'bad', icon: <IconAlertTriangle size={16} />, role: 'alert' }),
}
