import { Button, Group } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { Notice } from '../../ui/Notice.tsx'

type TrashNoticeProps = { count: number; busy: boolean; onUndo: () => void; onDismiss: () => void }

/** Offers to undo the last deletion. */
export function TrashNotice({ count, busy, onUndo, onDismiss }: TrashNoticeProps) {
  return (
    <Notice tone="quiet" onDismiss={onDismiss}>
      <Group component="span" gap="xs">
        {count === 1 ? '1 recording was moved to the trash.' : `${count} recordings were moved to the trash.`}
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconArrowBackUp size={15} aria-hidden="true" />}
          loading={busy}
          onClick={onUndo}
        >
          Undo
        </Button>
      </Group>
    </Notice>
  )
}
