import { Group, Progress } from '@mantine/core'
import type { Archive } from '../../../shared/recordings.ts'
import { Notice } from '../../ui/Notice.tsx'
import { storageWords } from './storage-words.ts'

/** Shows how much of the host's storage the archive uses, and what follows once it is full. */
export function StorageBar({ archive }: { archive: Archive }) {
  const { words, share, isNearlyFull } = storageWords(archive)
  return (
    <>
      <Group gap="sm" fz="sm" c="dimmed">
        <span>{words}</span>
        <Progress
          flex="0 1 16rem"
          miw="8rem"
          value={share * 100}
          color={archive.is_full ? 'red' : isNearlyFull ? 'yellow' : undefined}
          aria-label="Storage used"
        />
      </Group>
      {archive.message ? <Notice tone="warn">{archive.message}</Notice> : null}
    </>
  )
}
