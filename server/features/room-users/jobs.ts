import type { Deps } from '../../deps.ts'
import type { Job } from '../../jobs/job.ts'
import { EVERY } from '../../jobs/retention.ts'
import { passwordAad } from '../auth/user-password.ts'

const AT_ONCE = 20

/** Imports wake it; after a restart it continues, since what is left is in the table. */
export const hashPasswords: Job = {
  name: 'hash imported passwords',
  every: EVERY.tenMinutes,
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

/** A password that was changed meanwhile has its hash. One that cannot be read is left for whoever restores the key. */
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
