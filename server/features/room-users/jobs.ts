import type { Deps } from '../../deps.ts'
import type { Job } from '../../jobs/job.ts'
import { JOB_INTERVALS } from '../../jobs/retention.ts'
import { passwordAad } from '../auth/user-password.ts'

const AT_ONCE = 20

/** Woken by imports. After a restart it continues from the rows that are left. */
export const hashPasswords: Job = {
  name: 'hash imported passwords',
  every: JOB_INTERVALS.tenMinutes,
  isLong: true,
  async run(deps, signal) {
    let hashed = 0
    let last: string | undefined
    for (;;) {
      const rows = await findUnhashed(deps, last)
      for (const row of rows) {
        if (signal?.aborted) return hashed
        if (await hashStored(deps, row)) hashed++
      }
      last = rows.at(-1)?.id
      if (rows.length < AT_ONCE) return hashed
    }
  },
}

type Unhashed = Awaited<ReturnType<typeof findUnhashed>>[number]

async function findUnhashed({ db }: Deps, after: string | undefined) {
  let unhashed = db
    .selectFrom('room_users')
    .innerJoin('rooms', 'rooms.id', 'room_users.room_id')
    .select(['room_users.id', 'room_users.password_ciphertext', 'rooms.host_id'])
    .where('room_users.password_hash', 'is', null)
  if (after !== undefined) unhashed = unhashed.where('room_users.id', '>', after)
  return unhashed.orderBy('room_users.id').limit(AT_ONCE).execute()
}

/** Skips a password that was changed meanwhile, which has its hash, and one that needs the original SECRET_KEY. */
async function hashStored(deps: Deps, { id, password_ciphertext, host_id }: Unhashed): Promise<boolean> {
  try {
    const password = deps.secrets.decrypt(password_ciphertext, passwordAad(id))
    const password_hash = await deps.passwords.hash(password, host_id)
    const { numUpdatedRows } = await deps.db
      .updateTable('room_users')
      .set({ password_hash })
      .where('id', '=', id)
      .where('password_ciphertext', '=', password_ciphertext)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  } catch (err) {
    deps.log.warn({ err, room_user_id: id }, 'password.not_hashed')
    return false
  }
}

export const roomUserJobs = [hashPasswords]
