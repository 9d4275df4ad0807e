import { notifications } from '@mantine/notifications'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'

const TONES = {
  good: { role: 'status', icon: <IconCheck size={16} /> },
  warn: { role: 'status', icon: <IconAlertTriangle size={16} /> },
  bad: { role: 'alert', icon: <IconAlertTriangle size={16} /> },
}

const shownIds = new Map<string, string>()

/** Replaces a visible toast with the same message, so that they neither stack nor go unnoticed. */
function show(tone: keyof typeof TONES, message: string) {
  const before = shownIds.get(message)
  if (before) notifications.hide(before)
  const id = notifications.show({ message, 'data-tone': tone, ...TONES[tone] })
  shownIds.set(message, id)
  return () => notifications.hide(id)
}

/** Call it from screens, never from queries. */
export const toast = {
  success: (message: string) => void show('good', message),
  /** Returns a function that hides it early. */
  warning: (message: string) => show('warn', message),
  error: (message: string) => void show('bad', message),
}
