import { Button } from '@mantine/core'
import { IconCopy, IconShare2 } from '@tabler/icons-react'
import { copyMessage } from '../../ui/copy-message.ts'
import { toast } from '../../ui/toast.tsx'

type SendButtonsProps = {
  /** Names the buttons for screen readers, since a page may have several. */
  of: string
  title: string
  text: string
  copied: string
}

/** Copies a text, or shares it with another app if the browser can. */
export function SendButtons({ of, title, text, copied }: SendButtonsProps) {
  return (
    <>
      <Button
        h={{ base: 40, sm: 34 }}
        px="sm"
        variant="default"
        leftSection={<IconCopy size={16} aria-hidden="true" />}
        aria-label={`Copy ${of}`}
        onClick={() => void copyMessage(text, copied)}
      >
        Copy
      </Button>
      {typeof navigator.share === 'function' ? (
        <Button
          h={{ base: 40, sm: 34 }}
          px="sm"
          variant="default"
          leftSection={<IconShare2 size={16} aria-hidden="true" />}
          aria-label={`Share ${of}`}
          onClick={() => void share({ title, text })}
        >
          Share
        </Button>
      ) : null}
    </>
  )
}

async function share(data: ShareData) {
  try {
    await navigator.share(data)
  } catch (error) {
    const isDismissed = error instanceof DOMException && error.name === 'AbortError'
    if (!isDismissed) toast.error('Failed to share. Please copy it instead.')
  }
}
