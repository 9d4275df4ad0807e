import { randomBytes } from 'node:crypto'
import { SEAT_KEY_PREFIX, type SeatTicket, type SeatWay } from '../../../shared/seat.ts'
import type { HostActor } from '../../db/actor.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { deadlineIn, ZOOM_TIMEOUT_MS } from '../../zoom/deadline.ts'
import { readAccountName } from '../auth/account-name.ts'
import { ensureMeeting, findZoomLink, readPasscode, requestZak } from '../phones/join-ticket.ts'
import { SDK_ROLE, signForSdk } from '../phones/join-ticket-signature.ts'

/** The token is needed at the join alone, and may start any meeting of the host. */
const ZAK_SECONDS = 300
/** The shown name of a seat that the host makes co-host by hand. */
const GUEST_NAME = 'Parley'

/** Builds the values with which the seat joins the room's meeting. With role 1 the join starts the meeting. */
export async function createSeatTicket(deps: Deps, by: HostActor, way: SeatWay): Promise<SeatTicket> {
  const { config, db, now } = deps
  const { host_id } = by
  const deadline = deadlineIn(ZOOM_TIMEOUT_MS)
  const link = await findZoomLink(deps, host_id)
  const isHost = way === 'host'
  if (!isHost && link.zoom_account_id !== (await deps.zoom.appAccount()))
    throw new AppError('conflict', "This room's Zoom account admits no guest by itself. Take the seat as the host.")

  await ensureMeeting(deps, host_id, isHost, deadline)
  const { zoom_meeting_id: meeting_number } = await db
    .selectFrom('rooms')
    .select('zoom_meeting_id')
    .where('host_id', '=', host_id)
    .executeTakeFirstOrThrow()
  if (!meeting_number)
    throw new AppError(
      'zoom_unavailable',
      'The meeting of this room could not be created at Zoom. Please try again later.',
    )
  const role = isHost ? SDK_ROLE.host : SDK_ROLE.guest
  const { signature, expires } = await signForSdk(config, { meeting_number, role }, now())
  return {
    role,
    sdk_url: config.ZOOM_SDK_URL,
    sdk_version: config.ZOOM_SDK_VERSION,
    meeting_number,
    passcode: await readPasscode(deps, host_id),
    signature,
    user_name: isHost ? await readAccountName(db, by) : GUEST_NAME,
    customer_key: `${SEAT_KEY_PREFIX}${randomBytes(15).toString('hex')}`,
    ...(isHost && { zak: await requestZak(deps, host_id, ZAK_SECONDS, deadline) }),
    expires_at: (isHost ? new Date(now() + ZAK_SECONDS * 1000) : expires).toISOString(),
  }
}
