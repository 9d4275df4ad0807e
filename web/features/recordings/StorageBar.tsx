import { Progress } from '@mantine/core'
import type { Archive } from '../../../shared/recordings.ts'
import { Notice } from '../../ui/Notice.tsx'
import classes from './StorageBar.module.css'
import { storageWords } from './storage-words.ts'

/** How much of the host's storage its archived recordings take, and what that means once it is full. */
export function StorageBar({ archive }: { archive: Archive }) {
  const { words, share, isNearlyFull } = storageWords(archive)
  return (
    <>
      <div className={classes.storage}>
        <span>{words}</span>
        <Progress
          className={classes.bar}
          value={share * 100}
          color={archive.is_full ? 'red' : isNearlyFull ? 'yellow' : undefined}
          aria-label="Storage used"
        />
      </div>
      {archive.message ? <Notice tone="warn">{archive.message}</Notice> : null}
    </>
  )
}
