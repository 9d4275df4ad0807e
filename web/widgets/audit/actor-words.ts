import type { AuditEntry } from '../../../shared/audit.ts'

const ACTORS = {
  master: 'A master',
  host: 'The host',
  assistant: 'An assistant',
  phone: 'A phone',
  nobody: 'Someone unknown',
  system: 'Parley',
}

/** Names who acted as a master reads it. */
export function actorWords({ actor }: AuditEntry): string {
  return actor.name ?? ACTORS[actor.role]
}
