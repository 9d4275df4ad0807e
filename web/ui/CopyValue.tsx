import { ActionIcon } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { copyText } from '../lib/copy-text.ts'
import { toast } from './toast.tsx'

export function CopyValue({ what, value }: { what: 'Meeting ID' | 'Password' | 'Request ID' | 'Key'; value: string }) {
  const name = what.charAt(0).toLowerCase() + what.slice(1)

  async function handleClick() {
    try {
      await copyText(Promise.resolve(value))
      toast.success(`${what} copied to clipboard`)
    } catch {
      toast.error(`Failed to copy the ${name}`)
    }
  }

  return (
    <ActionIcon aria-label={`Copy ${name}`} onClick={() => void handleClick()}>
      <IconCopy size={18} stroke={1.75} />
    </ActionIcon>
  )
}
