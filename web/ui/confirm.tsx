import { Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import type { ReactNode } from 'react'

type Question = {
  title: string
  body: ReactNode
  confirmLabel: string
  cancelLabel?: string
  /** The answer cannot be taken back: the button is red, and Cancel holds the focus. */
  danger?: boolean
}

/** Asks before something that matters; true when the person agreed. */
export function confirm({ title, body, confirmLabel, cancelLabel = 'Cancel', danger = false }: Question) {
  return new Promise<boolean>((resolve) => {
    let agreed = false
    modals.openConfirmModal({
      title,
      centered: true,
      children: typeof body === 'string' ? <Text size="md">{body}</Text> : body,
      labels: { confirm: confirmLabel, cancel: cancelLabel },
      confirmProps: { color: danger ? 'red' : undefined },
      cancelProps: danger ? { 'data-autofocus': true } : undefined,
      onConfirm: () => {
        agreed = true
      },
      onClose: () => resolve(agreed),
    })
  })
}
