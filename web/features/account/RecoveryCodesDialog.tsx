import { Button, Group, Stack, Text } from '@mantine/core'
import { IconCopy, IconDownload, IconPrinter } from '@tabler/icons-react'
import { copyText } from '../../lib/copy-text.ts'
import { isSecondPress } from '../../lib/once.ts'
import { saveFile } from '../../lib/save-file.ts'
import { CancelButton, Dialog } from '../../ui/Dialog.tsx'
import { PrintedOnly } from '../../ui/PrintedOnly.tsx'
import { toast } from '../../ui/toast.tsx'
import classes from './RecoveryCodesDialog.module.css'

type RecoveryCodesDialogProps = { codes: string[]; username: string; onClose: () => void }

/** Shows new recovery codes, which cannot be shown again. */
export function RecoveryCodesDialog({ codes, username, onClose }: RecoveryCodesDialogProps) {
  const text = codes.join('\n')

  async function handleCopy() {
    try {
      await copyText(Promise.resolve(text))
      toast.success('Recovery codes copied to clipboard')
    } catch {
      toast.error('Failed to copy the recovery codes')
    }
  }

  function handleDownload() {
    if (isSecondPress('download recovery codes')) return
    const content = `Recovery codes of ${username} for ${window.location.host}\n\n${text}\n`
    saveFile('parley-recovery-codes.txt', new Blob([content], { type: 'text/plain;charset=utf-8' }))
  }

  return (
    <Dialog title="Recovery codes" closeOnClickOutside={false} onClose={onClose}>
      <Stack>
        <Text size="sm">
          Keep these where you find them without your phone. Each signs you in once, in place of your second factor.
          They are shown only now.
        </Text>
        <Codes codes={codes} />
        <Group gap="xs">
          <Button variant="default" leftSection={<IconDownload size={18} stroke={1.75} />} onClick={handleDownload}>
            Download
          </Button>
          <Button
            variant="default"
            leftSection={<IconCopy size={18} stroke={1.75} />}
            onClick={() => void handleCopy()}
          >
            Copy
          </Button>
          <Button
            variant="default"
            leftSection={<IconPrinter size={18} stroke={1.75} />}
            onClick={() => isSecondPress('print recovery codes') || window.print()}
          >
            Print
          </Button>
        </Group>
        <Group justify="flex-end">
          <CancelButton>I have saved them</CancelButton>
        </Group>
      </Stack>
      <PrintedOnly>
        <h1>Recovery codes</h1>
        <p>
          {username}, {window.location.host}
        </p>
        <Codes codes={codes} />
      </PrintedOnly>
    </Dialog>
  )
}

function Codes({ codes }: { codes: string[] }) {
  return (
    <ul className={classes.codes}>
      {codes.map((code) => (
        <li key={code}>{code}</li>
      ))}
    </ul>
  )
}
