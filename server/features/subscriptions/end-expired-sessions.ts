import { onOneNode } from '../../db/on-one-node.ts'
import type { Job } from '../../jobs/job.ts'
import { EVERY } from '../../jobs/retention.ts'

/** A session whose time is over ends even when nobody asks for anything any more, and its streams with it. */
export const endExpiredSessions: Job = {
  name: 'end expired sessions',
  every: EVERY.minute,
  async run({ db, sessions }) {
    const ended = await onOneNode(db, this.name, (tx) => sessions.endRows(tx, { is_expired: true }, 'expired'))
    if (ended) sessions.forget(ended, 'expired')
    return ended?.length ?? 0
  },
}
