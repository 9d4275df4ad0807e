import { z } from 'zod'
import type { PersonRows } from '../../../shared/person.ts'
import { type Actor, SYSTEM } from '../../db/actor.ts'
import { audit } from '../../db/audit-log.ts'
import { AppError } from '../../errors.ts'
import { eraseFoundPerson, type PersonDeps } from './erase-person.ts'
import { countsOf, personFileText } from './export-person.ts'
import { findPersonByUserId } from './find-person.ts'
import { countPersonRows } from './person-rows.ts'

const id = z.string().min(1).max(64)
export const PersonCommand = z.discriminatedUnion('action', [
  z.object({ action: z.literal('export'), host: id, user: id }),
  z.object({ action: z.literal('erase'), host: id, user: id, is_sure: z.boolean() }),
])
export type PersonCommand = z.infer<typeof PersonCommand>

/** Runs `npm run person`, and returns what it prints: of an export, the file's text comes second. */
export async function personCommand(deps: PersonDeps, command: PersonCommand): Promise<string[]> {
  const by: Actor = { ...SYSTEM, command: `person ${command.action}` }
  const person = await findPersonByUserId(deps.db, command.host, command.user)
  if (command.action === 'erase') {
    if (!command.is_sure)
      throw new AppError('conflict', `Would erase ${shown(person.username, await countPersonRows(deps.db, person))}`)
    return [`Erased ${shown(person.username, await eraseFoundPerson(deps, by, person))}`]
  }
  await deps.stays?.flush()
  const text = await personFileText(deps, person)
  const rows = countsOf(text)
  await audit(deps, deps.db, by, { host_id: person.host_id, action: 'person_exported', target: person.id, after: rows })
  return [`Exported ${shown(person.username, rows)}`, text]
}

const shown = (username: string, { stays, audit_rows }: PersonRows) =>
  `${username}: ${counted(stays, 'stay')}, ${counted(audit_rows, 'audit row')}.`

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`
