import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { formatMoment } from '../../../ui/format-date.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { clearImportMark, findInterruptedImport, type ImportProgress } from './running-import.ts'

/** Reports on the next visit that an import was interrupted. `isImporting`: the open form shows the rest itself. */
export function InterruptedImport({ isImporting, onContinue }: { isImporting: boolean; onContinue: () => void }) {
  const [mark, setMark] = useState<ImportProgress | null>(null)
  useEffect(() => {
    if (isImporting) return
    let isShown = true
    void findInterruptedImport().then((found) => {
      if (isShown) setMark(found)
    })
    return () => {
      isShown = false
    }
  }, [isImporting])
  if (!mark || isImporting) return null

  const count = (users: number) => users.toLocaleString('en')
  return (
    <Notice
      tone="warn"
      title={`An import stopped after ${count(mark.added)} of ${count(mark.total)} users`}
      onDismiss={() => {
        clearImportMark()
        setMark(null)
      }}
      closeButtonLabel="Dismiss"
    >
      The page was closed during the import of {formatMoment(new Date(mark.started_at).toISOString())}. Import the same
      list again to add the others; users who are in your room already are skipped.{' '}
      <Button size="compact-sm" variant="default" onClick={onContinue}>
        Continue the import
      </Button>
    </Notice>
  )
}
