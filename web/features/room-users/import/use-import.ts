import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { roomUsers } from '../../../queries/room-users.ts'
import { useUnsavedWork } from '../../../ui/unsaved-work.tsx'
import type { CheckedPerson } from './dry-run.ts'
import { callsFor, type ImportCall, sendImportCall } from './import-call.ts'
import { clearImportMark, saveImportProgress, withImportLock } from './running-import.ts'

export type ImportReport = {
  added: CheckedPerson[]
  /** The rows that were not added, without those of `unanswered`. */
  failed: { person: CheckedPerson; message: string }[]
  /** The rows that can be tried again unchanged. */
  left: CheckedPerson[]
  /** A call without an answer, with the first rows of `left`: the server may have added them. */
  unanswered: ImportCall | null
}

/**
 * Adds people in the order of the list, in several calls, and stops at one that fails. The tab asks before it is closed.
 */
export function useImport() {
  const client = useQueryClient()
  const [done, setDone] = useState<number | null>(null)
  const [report, setReport] = useState<ImportReport | null>(null)
  const isRunning = useRef(false)
  const isStopped = useRef(false)
  useUnsavedWork(done !== null)

  const run = (people: readonly CheckedPerson[]) =>
    addTo({ added: [], failed: [], left: [...people], unanswered: null })

  /** Tries the rows again that are left. The report stays one of the whole list, with all that were added. */
  async function retry() {
    if (!report) return
    const left = new Set(report.left)
    await addTo({ ...report, failed: report.failed.filter(({ person }) => !left.has(person)) })
  }

  async function addTo(before: ImportReport) {
    if (isRunning.current) return
    isRunning.current = true
    isStopped.current = false
    setDone(0)
    setReport(null)
    const outcome = await withImportLock(() => addLeft(before))
    isRunning.current = false
    setDone(null)
    // With `done`, and before the list comes, so that no finished import offers to add again.
    setReport(outcome ?? endWith(before, 'Not added: another tab is importing users right now'))
    void client.invalidateQueries({ queryKey: roomUsers.queryKey })
  }

  async function addLeft(before: ImportReport): Promise<ImportReport> {
    const mark = { started_at: Date.now(), total: before.added.length + before.left.length }
    let report = before
    let from = 0
    for (const call of callsFor(before.left, before.unanswered)) {
      saveImportProgress({ ...mark, added: report.added.length })
      const outcome = isStopped.current ? STOPPED : await sendImportCall(call)
      if ('problem' in outcome) {
        const unanswered = outcome.mayHaveAdded || call === before.unanswered ? call : null
        report = endWith({ ...report, unanswered }, `Not added: ${outcome.problem}`)
        break
      }
      from += call.people.length
      report = {
        added: [...report.added, ...outcome.added],
        failed: [...report.failed, ...outcome.failed],
        left: before.left.slice(from),
        unanswered: null,
      }
      setDone(from)
    }
    clearImportMark()
    return report
  }

  function stop() {
    isStopped.current = true
  }

  return { run, retry, stop, done, report }
}

const STOPPED = { problem: 'the import was stopped', mayHaveAdded: false }

/** Reports what is left as not added, except for the call that may have been done. */
function endWith(report: ImportReport, message: string): ImportReport {
  const notAdded = report.left.slice(report.unanswered?.people.length ?? 0)
  return { ...report, failed: [...report.failed, ...notAdded.map((person) => ({ person, message }))] }
}
