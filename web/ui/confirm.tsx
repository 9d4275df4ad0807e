import { Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import type { ReactNode } from 'react'
import { rememberFocus } from './focus-back.ts'

type Question = {
  title: string
  body: ReactNode
  confirmLabel: string
  cancelLabel?: string
  /** The answer cannot be taken back: the button is red. */
  danger?: boolean
}

/** Asks before something that matters; true when the person agreed. */
export function confirm({ title, body, confirmLabel, cancelLabel = 'Cancel', danger = false }: Question) {
  return new Promise<boolean>((resolve) => {
    let agreed = false
    const giveFocusBack = rememberFocus()
    modals.openConfirmModal({
      title,
      centered: true,
      children: typeof body === 'string' ? <Text size="md">{body}</Text> : body,
      labels: { confirm: confirmLabel, cancel: cancelLabel },
      confirmProps: { color: danger ? 'red' : undefined },
      cancelProps: { 'data-autofocus': true },
      onConfirm: () => {
        agreed = true
      },
      onClose: () => {
        giveFocusBack()
        resolve(agreed)
      },
    })
  })
}
