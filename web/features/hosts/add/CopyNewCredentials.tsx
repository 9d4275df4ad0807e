import { Button } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { copyText } from '../../../lib/copy-text.ts'
import { site } from '../../../lib/site.ts'
import { toast } from '../../../ui/toast.tsx'
import { type NewHostCredentials, newHostCredentialsText } from './new-host-credentials.ts'

export function CopyNewCredentials({ credentials }: { credentials: NewHostCredentials }) {
  async function handleCopy() {
    try {
      await copyText(Promise.resolve(newHostCredentialsText(credentials, site.host_url)))
      toast.success('Credentials copied to clipboard')
    } catch {
      toast.error('Failed to copy credentials')
    }
  }

  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconCopy size={16} aria-hidden="true" />}
      onClick={() => void handleCopy()}
    >
      Copy credentials
    </Button>
  )
}
