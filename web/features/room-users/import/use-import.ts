import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { IMPORT_LIMIT, ImportAnswer } from '../../../../shared/room-users.ts'
import { api, messageOf, newKey } from '../../../lib/api-client.ts'
import { roomUsers } from '../../../lib/queries/room-users.ts'
import { useUnsavedWork } from '../../../ui/unsaved-work.tsx'
import type { CheckedPerson } from './dry-run.ts'
import { aloneInBrowser, forgetImport, noteImport } from './running-import.ts'

export type ImportReport = {
  added: CheckedPerson[]
  failed: { person: CheckedPerson; message: string }[]
  /** The failed rows that can be tried again unchanged. */
  left: CheckedPerson[]
}

/** Keeps the first call short, so that the progress bar moves soon. */
const FIRST_CALL = 50
/** The server accepts 1 MB. */
const BYTES_MAX = 800_000

/**
 * Adds people in the order of the list, in several calls. A call without an answer is retried once with the same key,
 * so that no one is added twice; if that fails too, the rest is reported as not added. The tab asks before it is
 * closed.
 */
export function useImport() {
  const client = useQueryClient()
  const [done, setDone] = useState<number | null>(null)
  const [report, setReport] = useState<ImportReport | null>(null)
  const isRunning = useRef(false)
  const isStopped = useRef(false)
  useUnsavedWork(done !== null)

  async function run(people: readonly CheckedPerson[]) {
    if (isRunning.current) return
    isRunning.current = true
    isStopped.current = false
    setDone(0)
    setReport(null)
    const message = 'Not added: another tab is importing users right now'
    const refused = { added: [], failed: people.map((person) => ({ person, message })), left: [...people] }
    const outcome = (await aloneInBrowser(() => addAll(people))) ?? refused
    isRunning.current = false
    setDone(null)
    setReport(outcome) // with `done`, and before the list comes, so that no finished import offers to add again
    void client.invalidateQueries({ queryKey: roomUsers.queryKey })
  }

  async function addAll(people: readonly CheckedPerson[]): Promise<ImportReport> {
    const report: ImportReport = { added: [], failed: [], left: [] }
    const import_id = crypto.randomUUID()
    const mark = { started_at: Date.now(), total: people.length }
    let from = 0
    for (const some of callsFor(people)) {
      noteImport({ ...mark, added: report.added.length })
      const problem = isStopped.current ? 'Not added: the import was stopped' : await addSome(some, import_id, report)
      if (problem) {
        report.left = people.slice(from)
        for (const person of report.left) report.failed.push({ person, message: problem })
        break
      }
      from += some.length
      setDone(from)
    }
    forgetImport()
    return report
  }

  function stop() {
    isStopped.current = true
  }

  return { run, stop, done, report }
}

function* callsFor(people: readonly CheckedPerson[]): Generator<CheckedPerson[]> {
  const encoder = new TextEncoder()
  let some: CheckedPerson[] = []
  let bytes = 0
  let limit = FIRST_CALL
  for (const person of people) {
    const more = encoder.encode(JSON.stringify(person.user)).length + 1
    if (some.length === limit || bytes + more > BYTES_MAX) {
      yield some
      some = []
      bytes = 0
      limit = IMPORT_LIMIT
    }
    some.push(person)
    bytes += more
  }
  if (some.length > 0) yield some
}

/** Returns the message if the call as a whole failed, else null. */
async function addSome(
  people: readonly CheckedPerson[],
  import_id: string,
  report: ImportReport,
): Promise<string | null> {
  const idempotencyKey = newKey()
  const body = { users: people.map(({ user }) => user), import_id }
  const send = () => api(ImportAnswer, 'POST', '/host/users/import', body, { idempotencyKey })
  try {
    const { data } = await send().catch(send)
    for (const { index, message } of data.failed) {
      const person = people[index]
      if (person) report.failed.push({ person, message })
    }
    report.added.push(...data.added.flatMap(({ index }) => people[index] ?? []))
    return null
  } catch (error) {
    return `Not added: ${messageOf(error, 'the server did not answer. Please try again.')}`
  }
}
