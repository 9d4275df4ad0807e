import type { JoinTicket } from '../../../shared/mobile.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { SingleFlight } from '../../lib/single-flight.ts'
import { readOnBehalfToken, readZak } from '../../zoom/calls.ts'
import { type Deadline, deadlineIn } from '../../zoom/deadline.ts'
import { isFault, toAppError } from '../../zoom/errors.ts'
import { findHostPresence, type HostPresence } from '../rooms/host-presence.ts'
import { findJoinUrl } from '../rooms/join-url.ts'
import { reconcileMeeting } from '../rooms/reconcile-meeting.ts'
import { connectRoom } from '../rooms/room-meeting.ts'
import { findLiveSitting } from '../rooms/sittings.ts'
import { decryptPasscode } from '../rooms/stored-passcode.ts'
import { JOIN_TICKET_SECONDS, SDK_ROLE, signForSdk } from './join-ticket-signature.ts'
import type { PhoneOwner } from './phone-login.ts'
import { phoneView } from './phone-view.ts'

/** A phone times out after 15 s. In a crowd it spends most of that in the queue for Zoom. */
const TIMEOUT_MS = 13_000
/** The interval per room. Zoom usually reports a meeting's start at once; this is for a lost event. */
const CHECK_INTERVAL_MS = 15_000
const WAIT_SECONDS = 10

export class MeetingChecks {
  readonly #flights = new SingleFlight<void>()
  readonly #checkedAt = new Map<string, number>()

  /** Shares one check among phones that wait at the same time. */
  async run(what: string, now: number, check: () => Promise<void>): Promise<void> {
    await this.#flights.run(what, async () => {
      if (now - (this.#checkedAt.get(what) ?? -Infinity) < CHECK_INTERVAL_MS) return
      this.#checkedAt.set(what, now)
      await check()
    })
  }
}

/**
 * Builds the values with which the Meeting SDK joins the room's meeting. If the meeting belongs to another account than
 * our app, Zoom admits a guest only on behalf of the host, while the host is in it. An earlier token would fail at the
 * join and send the host an e-mail, so the phone has to wait.
 */
export async function createJoinTicket(deps: Deps, phone: PhoneOwner): Promise<JoinTicket> {
  const { host_id, room_user_id } = phone
  const isHost = room_user_id === null
  const deadline = deadlineIn(TIMEOUT_MS)
  const link = await findZoomLink(deps, host_id)
  const needsHost = !isHost && link.zoom_account_id !== (await deps.zoom.appAccount())

  await ensureMeeting(deps, host_id, needsHost, deadline)
  const { user, room } = await phoneView(deps, phone)
  const meeting_number = room.zoom_meeting_id
  if (!meeting_number)
    throw new AppError(
      'zoom_unavailable',
      'The meeting of this room could not be created at Zoom. Please try again later.',
    )
  if (needsHost) requirePresent(await findHostPresence(deps, { room_id: room.room_id, host_id }))

  const role = isHost ? SDK_ROLE.host : SDK_ROLE.guest
  const { signature, expires } = await signForSdk(deps.config, { meeting_number, role }, deps.now())
  const atZoom = { id: room.room_id, host_id, zoom_meeting_id: meeting_number }
  return {
    role,
    sdk_url: deps.config.ZOOM_SDK_URL,
    sdk_version: deps.config.ZOOM_SDK_VERSION,
    join_url: await findJoinUrl(deps, atZoom, deadline),
    meeting_number,
    passcode: await readPasscode(deps, host_id),
    signature,
    user_name: user.username,
    customer_key: user.id,
    ...(needsHost && { obf_token: await requestOnBehalfToken(deps, host_id, meeting_number, deadline) }),
    ...(isHost && { zak: await requestZak(deps, host_id, JOIN_TICKET_SECONDS, deadline) }),
    expires_at: expires.toISOString(),
  }
}

export async function findZoomLink({ db }: Deps, host_id: string) {
  const link = await db
    .selectFrom('zoom_links')
    .select('zoom_account_id')
    .where('host_id', '=', host_id)
    .executeTakeFirst()
  if (!link) throw new AppError('room_not_connected', 'Zoom is not connected for this room.')
  return link
}

/**
 * Checks a meeting that does not seem to run: Zoom may have deleted it, or the event of its start may be lost. If the
 * check fails, a phone that needs no token of Zoom's may still join.
 */
export async function ensureMeeting(
  deps: Deps,
  host_id: string,
  needsZoom: boolean,
  deadline: Deadline,
): Promise<void> {
  const { id, zoom_meeting_id } = await deps.db
    .selectFrom('rooms')
    .select(['id', 'zoom_meeting_id'])
    .where('host_id', '=', host_id)
    .executeTakeFirstOrThrow()
  if (!zoom_meeting_id) return connectRoom(deps, host_id)
  if (await findLiveSitting(deps.db, id)) return
  try {
    await deps.meetingChecks.run(host_id, deps.now(), async () => {
      await reconcileMeeting(deps, { id, host_id, zoom_meeting_id }, deadline)
    })
  } catch (error) {
    if (needsZoom) throw toAppError(error)
    deps.log.warn({ err: error, host_id }, 'join_ticket.meeting_check_failed')
  }
}

export async function readPasscode(deps: Deps, host_id: string): Promise<string> {
  const room = await deps.db
    .selectFrom('rooms')
    .select(['id', 'passcode_ciphertext'])
    .where('host_id', '=', host_id)
    .executeTakeFirstOrThrow()
  return decryptPasscode(deps, room) ?? ''
}

/** Returns a token that is valid for one join. */
async function requestOnBehalfToken(deps: Deps, host_id: string, meeting: string, deadline: Deadline): Promise<string> {
  try {
    return (await deps.zoom.callFor(host_id, readOnBehalfToken(meeting, JOIN_TICKET_SECONDS), deadline)).token
  } catch (error) {
    if (!isFault(error, 'not_found')) throw toAppError(error)
    const { id } = await deps.db
      .selectFrom('rooms')
      .select('id')
      .where('host_id', '=', host_id)
      .executeTakeFirstOrThrow()
    await reconcileMeeting(deps, { id, host_id, zoom_meeting_id: meeting }, deadline).catch(() => {}) // recreates it
    throw hostNotPresent('absent')
  }
}

/** Whoever has this token may start any meeting of the host. */
export async function requestZak(deps: Deps, host_id: string, seconds: number, deadline: Deadline): Promise<string> {
  try {
    return (await deps.zoom.callFor(host_id, readZak(seconds), deadline)).token
  } catch (error) {
    throw toAppError(error)
  }
}

function requirePresent(presence: HostPresence): void {
  if (presence !== 'present') throw hostNotPresent(presence)
}

function hostNotPresent(presence: 'absent' | 'unknown'): AppError {
  const message =
    presence === 'absent'
      ? 'The host is not in the meeting yet. Please try again in a moment.'
      : 'It is not known yet whether the host is in the meeting. Please try again in a moment.'
  return new AppError('host_not_present', message, { hostPresence: presence, retryAfterSeconds: WAIT_SECONDS })
}
