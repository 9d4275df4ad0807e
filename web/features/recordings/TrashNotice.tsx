import { Button } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { Notice } from '../../ui/Notice.tsx'
import classes from './RecordingsScreen.module.css'

type TrashNoticeProps = { count: number; busy: boolean; onUndo: () => void; onDismiss: () => void }

/** What was just moved to the trash, until it is taken back or forgotten. */
export function TrashNotice({ count, busy, onUndo, onDismiss }: TrashNoticeProps) {
  return (
    <Notice tone="quiet" onDismiss={onDismiss}>
      <span className={classes.trash}>
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
      </span>
    </Notice>
  )
}
