import { audit, byHost } from '../../db/audit-log.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import type { TokenBuckets } from '../../lib/token-bucket.ts'
import type { SignedInHost } from '../auth/guards.ts'
import { renewPasscode, wantNewPasscode } from './new-passcode.ts'

/** Sets a new passcode now, and returns whether Zoom took it; where it did not, it is tried again until it does. */
export async function askNewPasscode(
  deps: Deps,
  limit: TokenBuckets,
  host: SignedInHost,
  ip: string,
): Promise<boolean> {
  const { host_id } = host
  await deps.db.transaction().execute(async (tx) => {
    const target = await wantNewPasscode(deps, tx, host_id)
    if (!target) throw new AppError('room_not_connected', 'Zoom is not connected for this room.')
    limit.take(host_id)
    await audit(deps, tx, { ...byHost(host, ip), action: 'passcode_asked', target })
  })
  try {
    return await renewPasscode(deps, host_id, { whileRunning: true })
  } catch (err) {
    deps.log.warn({ err, host_id }, 'Zoom did not take a new passcode; it is tried again')
    return false
  }
}
