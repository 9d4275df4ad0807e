import { Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import type { ReactNode } from 'react'
import { rememberFocus } from './focus-back.ts'
import { addLayer } from './layers.ts'

type Question = {
  title: string
  body: ReactNode
  confirmLabel: string
  cancelLabel?: string
  /** Makes the button red, since the action cannot be undone. */
  danger?: boolean
}

const open = new Set<string>()

/** Asks the person to confirm an action. Resolves to false if they decline, or if the same question is already open. */
export function confirm({ title, body, confirmLabel, cancelLabel = 'Cancel', danger = false }: Question) {
  if (open.has(title)) return Promise.resolve(false)
  open.add(title)
  return new Promise<boolean>((resolve) => {
    let agreed = false
    const giveFocusBack = rememberFocus()
    const id = modals.openConfirmModal({
      title,
      centered: true,
      closeOnClickOutside: false, // the second click of a double click lands there
      children: typeof body === 'string' ? <Text size="md">{body}</Text> : body,
      labels: { confirm: confirmLabel, cancel: cancelLabel },
      confirmProps: { color: danger ? 'red' : undefined },
      cancelProps: { 'data-autofocus': true },
      onConfirm: () => {
        agreed = true
      },
      onClose: () => {
        open.delete(title)
        removeLayer()
        giveFocusBack()
        resolve(agreed)
      },
    })
    const removeLayer = addLayer(() => modals.close(id))
  })
}
