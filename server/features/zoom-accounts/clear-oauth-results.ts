import { type Selectable, sql } from 'kysely'
import type { Tx } from '../../db/client.ts'
import { withJobLock } from '../../db/job-lock.ts'
import type { Tables } from '../../db/tables.ts'
import type { Deps } from '../../deps.ts'
import type { Job } from '../../jobs/job.ts'
import { JOB_INTERVALS, RETENTION } from '../../jobs/retention.ts'
import { resultAad } from './oauth-results.ts'
import { revokeTokens } from './zoom-links.ts'

/** Each result may cost two Zoom calls, while other jobs wait. */
const AT_ONCE = 20

type Result = Selectable<Tables['oauth_results']>

/** An unclaimed result is deleted once it has expired, and its grant revoked; a linked one is kept for a day. */
export const clearOAuthResults: Job = {
  name: 'clear oauth results',
  every: JOB_INTERVALS.tenMinutes,
  async run(deps, signal) {
    let total = 0
    while (!signal?.aborted) {
      const results = (await withJobLock(deps.db, this.name, (tx) => takeOld(deps, tx))) ?? []
      for (const result of newestGrants(results)) if (await isUnused(deps, result)) await revoke(deps, result)
      total += results.length
      if (results.length < AT_ONCE) break
    }
    return total
  },
}

async function takeOld({ now }: Deps, tx: Tx): Promise<Result[]> {
  const today = new Date(now())
  const dayAgo = new Date(now() - RETENTION.oauth_results)
  const { rows } = await sql<Result>`
    delete from oauth_results where id in (
      select id from oauth_results
      where expires_at <= ${dayAgo} or (host_id is null and expires_at <= ${today})
      order by expires_at
      limit ${sql.lit(AT_ONCE)}
    ) returning *`.execute(tx)
  return rows
}

/** Keeps each Zoom user's newest consent, which has invalidated the tokens of the earlier ones. */
function newestGrants(results: Result[]): Result[] {
  const held = results.filter((result) => result.access_token_ciphertext !== '') // otherwise claimed, or linked at once
  held.sort((one, other) => one.expires_at.getTime() - other.expires_at.getTime())
  return [...new Map(held.map((result) => [`${result.zoom_account_id} ${result.zoom_user_id}`, result])).values()]
}

/** True if revoking harms nothing else: it ends all grants of the Zoom user, including a host's or a later one. */
async function isUnused({ db }: Deps, { zoom_account_id, zoom_user_id }: Result) {
  const { rows } = await sql`
    select from zoom_links where zoom_account_id = ${zoom_account_id} and zoom_user_id = ${zoom_user_id}
    union all
    select from oauth_results where zoom_account_id = ${zoom_account_id} and zoom_user_id = ${zoom_user_id}
      and access_token_ciphertext <> ''`.execute(db)
  return rows.length === 0
}

async function revoke(deps: Deps, result: Result): Promise<void> {
  const reveal = (field: 'access_token' | 'refresh_token') =>
    deps.secrets.decrypt(result[`${field}_ciphertext`], resultAad(result.id, field))
  await revokeTokens(deps, { ...result, reveal })
}
