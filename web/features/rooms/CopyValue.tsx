import { ActionIcon } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { copyText } from '../../lib/copy-text.ts'
import { toast } from '../../ui/toast.tsx'

export function CopyValue({ what, value }: { what: 'Meeting ID' | 'Password'; value: string }) {
  async function handleClick() {
    try {
      await copyText(Promise.resolve(value))
      toast.success(`${what} copied to clipboard`)
    } catch {
      toast.error(`Failed to copy the ${what === 'Password' ? 'password' : 'meeting ID'}`)
    }
  }

  return (
    <ActionIcon
      aria-label={what === 'Password' ? 'Copy password' : 'Copy meeting ID'}
      onClick={() => void handleClick()}
    >
      <IconCopy size={18} stroke={1.75} />
    </ActionIcon>
  )
}
