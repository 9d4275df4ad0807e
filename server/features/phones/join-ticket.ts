import type { JoinTicket } from '../../../shared/mobile.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { SingleFlight } from '../../lib/single-flight.ts'
import { readOnBehalfToken, readZak } from '../../zoom/calls.ts'
import { type Deadline, deadlineIn } from '../../zoom/deadline.ts'
import { toAppError, isFault } from '../../zoom/errors.ts'
import { type HostPresence, hostPresence } from '../rooms/host-presence.ts'
import { connectRoom, decryptPasscode } from '../rooms/room-meeting.ts'
import { findLiveSitting } from '../rooms/sittings.ts'
import { reconcileMeeting } from '../rooms/reconcile-meeting.ts'
import { ROLE, sdkSignature, TICKET_SECONDS } from './join-ticket-signature.ts'
import type { PhoneOwner } from './phone-login.ts'
import { phoneView } from './phone-view.ts'

/** A phone gives up after 15 s. In a crowd most of that is spent waiting for the turn at Zoom. */
const TICKET_MS = 13_000
/** Zoom tells of a start at once, as a rule; so often it is asked, by all who wait for the host together. */
const LOOK_EVERY_MS = 15_000
const WAIT_SECONDS = 10

/** When Zoom was last asked whether a room's meeting runs. */
export class MeetingLooks {
  readonly #flights = new SingleFlight<void>()
  readonly #at = new Map<string, number>()

  /** Asks, unless that was done a moment ago. Many phones that wait at once cause one look. */
  async run(host_id: string, now: number, look: () => Promise<void>): Promise<void> {
    await this.#flights.run(host_id, async () => {
      if (now - (this.#at.get(host_id) ?? -Infinity) < LOOK_EVERY_MS) return
      this.#at.set(host_id, now)
      await look()
    })
  }
}

/**
 * What the Meeting SDK needs to join the room's meeting. Into another account's meeting than our app's own, Zoom lets a
 * guest only on behalf of the host, and only while the host is in it: it gives the token to anybody, then refuses the
 * joining and bothers the host with a mail. So who comes too early is told to wait here.
 */
export async function joinTicket(deps: Deps, looks: MeetingLooks, phone: PhoneOwner): Promise<JoinTicket> {
  const { host_id, room_user_id } = phone
  const isHost = room_user_id === null
  const deadline = deadlineIn(TICKET_MS)
  const link = await linkOf(deps, host_id)
  const needsHost = !isHost && link.zoom_account_id !== (await deps.zoom.appAccount())

  await ensureMeeting(deps, looks, host_id, needsHost, deadline)
  const { user, room } = await phoneView(deps, phone)
  const meeting_number = room.zoom_meeting_id
  if (!meeting_number)
    throw new AppError(
      'zoom_unavailable',
      'The meeting of this room could not be made at Zoom. Please try again later.',
    )
  if (needsHost) requirePresent(await hostPresence(deps, { room_id: room.room_id, host_id }))

  const role = isHost ? ROLE.host : ROLE.guest
  const { signature, expires } = await sdkSignature(deps.config, { meeting_number, role }, deps.now())
  return {
    meeting_number,
    passcode: await passcodeOf(deps, host_id),
    signature,
    user_name: user.username,
    customer_key: user.id,
    ...(needsHost && { obf_token: await onBehalf(deps, host_id, meeting_number, deadline) }),
    ...(isHost && { zak: await zakOf(deps, host_id, deadline) }),
    expires_at: expires.toISOString(),
  }
}

async function linkOf({ db }: Deps, host_id: string) {
  const link = await db
    .selectFrom('zoom_links')
    .select('zoom_account_id')
    .where('host_id', '=', host_id)
    .executeTakeFirst()
  if (!link) throw new AppError('room_not_connected', 'Zoom is not connected for this room.')
  return link
}

/**
 * Makes sure that there is a meeting to join. Where none runs as far as we know, Zoom is asked: it may have deleted it, or
 * told us of its start in vain. Who needs nothing of Zoom may join though Zoom cannot say.
 */
async function ensureMeeting(
  deps: Deps,
  looks: MeetingLooks,
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
    await looks.run(host_id, deps.now(), async () => {
      await reconcileMeeting(deps, { id, host_id, zoom_meeting_id }, deadline)
    })
  } catch (error) {
    if (needsZoom) throw toAppError(error)
    deps.log.warn(
      { err: error, host_id },
      'Zoom could not say whether a meeting is there; the ticket is given out all the same',
    )
  }
}

async function passcodeOf(deps: Deps, host_id: string): Promise<string> {
  const room = await deps.db
    .selectFrom('rooms')
    .select(['id', 'passcode_ciphertext'])
    .where('host_id', '=', host_id)
    .executeTakeFirstOrThrow()
  return decryptPasscode(deps, room) ?? ''
}

/** A token for one joining: each ticket has its own. */
async function onBehalf(deps: Deps, host_id: string, meeting: string, deadline: Deadline): Promise<string> {
  try {
    return (await deps.zoom.callFor(host_id, readOnBehalfToken(meeting, TICKET_SECONDS), deadline)).token
  } catch (error) {
    if (!isFault(error, 'not_found')) throw toAppError(error)
    const { id } = await deps.db
      .selectFrom('rooms')
      .select('id')
      .where('host_id', '=', host_id)
      .executeTakeFirstOrThrow()
    await reconcileMeeting(deps, { id, host_id, zoom_meeting_id: meeting }, deadline).catch(() => {}) // makes it again
    throw hostNotPresent('absent')
  }
}

async function zakOf(deps: Deps, host_id: string, deadline: Deadline): Promise<string> {
  try {
    return (await deps.zoom.callFor(host_id, readZak(TICKET_SECONDS), deadline)).token
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
      : 'Nothing tells yet whether the host is in the meeting. Please try again in a moment.'
  return new AppError('host_not_present', message, { hostPresence: presence, retryAfterSeconds: WAIT_SECONDS })
}
