import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { IMPORT_LIMIT, ImportAnswer } from '../../../../shared/room-users.ts'
import { api, messageOf, newKey } from '../../../lib/api-client.ts'
import { roomUsers } from '../../../lib/queries/room-users.ts'
import type { CheckedPerson } from './dry-run.ts'

export type ImportReport = { added: CheckedPerson[]; failed: { person: CheckedPerson; message: string }[] }

/**
 * Adds people in the order of the list, in several calls. A call without an answer is retried once with the same key, so
 * that no one is added twice; if that fails too, the rest is reported as not added.
 */
export function useImport() {
  const client = useQueryClient()
  const [done, setDone] = useState<number | null>(null)
  const isStopped = useRef(false)

  async function run(people: readonly CheckedPerson[]): Promise<ImportReport> {
    const report: ImportReport = { added: [], failed: [] }
    isStopped.current = false
    setDone(0)
    for (let from = 0; from < people.length; from += IMPORT_LIMIT) {
      const some = people.slice(from, from + IMPORT_LIMIT)
      const problem = isStopped.current ? 'Not added: the import was stopped' : await addSome(some, report)
      if (problem) {
        for (const person of people.slice(from)) report.failed.push({ person, message: problem })
        break
      }
      setDone(from + some.length)
    }
    setDone(null)
    await client.invalidateQueries({ queryKey: roomUsers.queryKey })
    return report
  }

  function stop() {
    isStopped.current = true
  }

  return { run, stop, done }
}

/** What went wrong with the call as a whole, or null. */
async function addSome(people: readonly CheckedPerson[], report: ImportReport): Promise<string | null> {
  const idempotencyKey = newKey()
  const body = { users: people.map(({ user }) => user) }
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
