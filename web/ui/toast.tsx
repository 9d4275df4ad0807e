import { Button, Group } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconAlertTriangle, IconArrowBackUp, IconCheck } from '@tabler/icons-react'

const TONES = {
  good: { role: 'status', icon: <IconCheck size={16} /> },
  warn: { role: 'status', icon: <IconAlertTriangle size={16} /> },
  bad: { role: 'alert', icon: <IconAlertTriangle size={16} /> },
}

const shownIds = new Map<string, string>()

/** Enough to read it, and to reach its button by the keyboard. */
const UNDO_MS = 20_000

/** Replaces a visible toast with the same message, so that they neither stack nor go unnoticed. */
function show(tone: keyof typeof TONES, message: string, onUndo?: () => void) {
  const before = shownIds.get(message)
  if (before) notifications.hide(before)
  const shown = { 'data-tone': tone, ...TONES[tone] }
  const id = onUndo
    ? notifications.show({ message: <Undoable text={message} onUndo={handleUndo} />, autoClose: UNDO_MS, ...shown })
    : notifications.show({ message, ...shown })
  function handleUndo() {
    notifications.hide(id)
    onUndo?.()
  }
  shownIds.set(message, id)
  return () => notifications.hide(id)
}

function Undoable({ text, onUndo }: { text: string; onUndo: () => void }) {
  return (
    <Group gap="xs" justify="space-between">
      {text}
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<IconArrowBackUp size={15} aria-hidden="true" />}
        onClick={onUndo}
      >
        Undo
      </Button>
    </Group>
  )
}

/** Call it from screens, never from queries. */
export const toast = {
  success: (message: string, onUndo?: () => void) => void show('good', message, onUndo),
  /** Returns a function that hides it early. */
  warning: (message: string) => show('warn', message),
  error: (message: string) => void show('bad', message),
}
