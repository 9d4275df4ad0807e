import { Button, type ButtonProps } from '@mantine/core'
import { IconMessage } from '@tabler/icons-react'
import { useState } from 'react'
import { useStore } from 'zustand'
import { WordDialog } from '../../../widgets/room-words/WordDialog.tsx'
import { type LiveRoomStore, wordsOf } from '../live-room/live-room-store.ts'

/** Gets the focus when the last word in the list has gone. */
export const SEND_WORD_ID = 'send-word'

type SendWordButtonProps = { store: LiveRoomStore; disabled: boolean; size: ButtonProps }

/** Opens the dialog for a word to the whole room. */
export function SendWordButton({ store, disabled, size }: SendWordButtonProps) {
  const [isOpen, setOpen] = useState(false)
  const standing = useStore(store, wordsOf).find(({ user }) => user === null) ?? null
  return (
    <>
      <Button
        id={SEND_WORD_ID}
        variant="default"
        {...size}
        leftSection={<IconMessage size={17} aria-hidden="true" />}
        disabled={disabled}
        onClick={() => setOpen(true)}
      >
        Send a word
      </Button>
      {isOpen ? <WordDialog to={null} standing={standing} onClose={() => setOpen(false)} /> : null}
    </>
  )
}
