import { Modal, type ModalProps } from '@mantine/core'
import { useFocusBack } from './focus-back.ts'

/** A modal that is there only while it is open; closed, it gives the focus back to what opened it. */
export function Dialog(props: Omit<ModalProps, 'opened'>) {
  useFocusBack()
  return <Modal opened {...props} />
}
