import { Divider, Modal, type ModalProps, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { useFocusBack } from './focus-back.ts'

/** A modal that is there only while it is open; closed, it gives the focus back to what opened it. */
export function Dialog(props: Omit<ModalProps, 'opened'>) {
  useFocusBack()
  return <Modal opened {...props} />
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
