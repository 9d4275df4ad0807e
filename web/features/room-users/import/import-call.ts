import { IMPORT_LIMIT, ImportAnswer } from '../../../../shared/room-users.ts'
import { ApiError, api, messageOf, randomUuid } from '../../../lib/api-client.ts'
import type { CheckedPerson } from './dry-run.ts'

/** Adds several people at once. A repeat under the same key adds no one twice, and gets the first answer. */
export type ImportCall = { people: readonly CheckedPerson[]; import_id: string; key: string }

/** Keeps the first call short, so that the progress bar moves soon. */
const FIRST_CALL = 50
/** The server accepts 1 MB. */
const BYTES_MAX = 800_000

/** Begins with the call that was not answered before, which has the first of the people. */
export function* callsFor(people: readonly CheckedPerson[], unanswered: ImportCall | null): Generator<ImportCall> {
  if (unanswered) yield unanswered
  const import_id = unanswered?.import_id ?? randomUuid()
  for (const some of portionsOf(people.slice(unanswered?.people.length ?? 0))) {
    yield { people: some, import_id, key: randomUuid() }
  }
}

function* portionsOf(people: readonly CheckedPerson[]): Generator<CheckedPerson[]> {
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

type Outcome =
  | { added: CheckedPerson[]; failed: { person: CheckedPerson; message: string }[] }
  /** `mayHaveAdded`: an answer was lost, so the server may have added the people. */
  | { problem: string; mayHaveAdded: boolean }

/** Sends a call, and once more if that fails. */
export async function sendImportCall({ people, import_id, key }: ImportCall): Promise<Outcome> {
  const body = { users: people.map(({ user }) => user), import_id }
  let mayHaveAdded = false
  const send = () =>
    api(ImportAnswer, 'POST', '/host/users/import', body, { idempotencyKey: key }).catch((error: unknown) => {
      mayHaveAdded ||= !isRefusal(error)
      throw error
    })
  try {
    const { data } = await send().catch(send)
    return {
      added: data.added.flatMap(({ index }) => people[index] ?? []),
      failed: data.failed.flatMap(({ index, message }) => {
        const person = people[index]
        return person ? { person, message } : []
      }),
    }
  } catch (error) {
    const noAnswer = 'the server did not answer. Please try again.'
    return { problem: isConflict(error) ? noAnswer : messageOf(error, noAnswer), mayHaveAdded }
  }
}

/** A conflict is no refusal: it says that the first call with this key is still running, or that its answer was lost. */
const isConflict = (error: unknown) => error instanceof ApiError && error.status === 409

function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500 && !isConflict(error)
}
