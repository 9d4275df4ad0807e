import { Divider, Modal, type ModalProps, Stack } from '@mantine/core'
import { useTimeout } from '@mantine/hooks'
import { createContext, type ReactNode, useContext, useState } from 'react'
import { DOUBLE_PRESS_MS } from '../lib/once.ts'
import { useFocusBack } from './focus-back.ts'
import { useLayer } from './layers.ts'
import { SteadyButton } from './SteadyButton.tsx'
import { confirmDiscard, useUnsavedWork } from './unsaved-work.tsx'

type DialogProps = Omit<ModalProps, 'opened'> & {
  /** True while closing would lose input: closing then needs a confirmation. */
  unsaved?: boolean
  /** True while an action is pending: the dialog stays open, so that its outcome is read. */
  busy?: boolean
}

const CloseDialog = createContext(() => {})

/** A modal that is mounted only while it is open; on closing it returns the focus to its opener. */
export function Dialog({ unsaved = false, busy = false, onClose, ...props }: DialogProps) {
  useFocusBack()
  useUnsavedWork(unsaved)
  const [isSettled, setSettled] = useState(false) // the second click of a double click lands outside
  useTimeout(() => setSettled(true), DOUBLE_PRESS_MS, { autoInvoke: true })
  const close = useLayer(true, async () => {
    if (busy) return
    if (!unsaved || (await confirmDiscard())) onClose()
  })
  return (
    <CloseDialog value={close}>
      <Modal opened onClose={close} closeOnClickOutside={isSettled} {...props} />
    </CloseDialog>
  )
}

/** Closes the dialog that contains it, as Escape does. */
export function CancelButton({ children = 'Cancel', disabled = false }: { children?: ReactNode; disabled?: boolean }) {
  return (
    <SteadyButton variant="default" onClick={useContext(CloseDialog)} off={disabled}>
      {children}
    </SteadyButton>
  )
}

/** Stays in sight while the form above it scrolls. */
export function ModalFooter({ children }: { children: ReactNode }) {
  return (
    <Stack component="footer" gap={0} pos="sticky" bottom={0} bg="var(--surface)" style={{ zIndex: 2 }}>
      <Divider />
      <Stack gap="sm" px="lg" py="sm">
        {children}
      </Stack>
    </Stack>
  )
}
