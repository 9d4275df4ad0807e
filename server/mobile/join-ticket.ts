import type { JoinTicket } from '../../shared/mobile.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import { liveSitting } from '../rooms/sittings.ts'
import { readOnBehalfToken, readZak } from '../zoom/calls.ts'
import { type Deadline, within, ZOOM_MS } from '../zoom/deadline.ts'
import { lookAtMeeting, type RoomAtZoom } from '../zoom/meetings/sweep-meeting.ts'
import { SingleFlight } from '../zoom/single-flight.ts'
import { connectRoom, roomPasscode } from '../zoom/zoom.ts'
import { asAppError, isFault, type ZoomError } from '../zoom/zoom-error.ts'
import { ROLE, sdkSignature, TICKET_SECONDS } from './join-ticket-signature.ts'
import { phoneView } from './phone-view.ts'
import type { PhoneOwner } from './sign-in.ts'

/** Zoom's code for a rule of the meeting that is not kept, such as that the host must be there. */
const MEETING_RULE = 3000

/** Many phones that wait for the host at once cause one look at Zoom. */
const looks = new SingleFlight<boolean>()

/**
 * What the Meeting SDK needs to join the room's meeting. Into another account's meeting than our app's own, Zoom lets a
 * guest only on behalf of the host, and only while the host is in it.
 */
export async function joinTicket(deps: Deps, phone: PhoneOwner): Promise<JoinTicket> {
  const { host_id, room_user_id } = phone
  const isHost = room_user_id === null
  const deadline = within(ZOOM_MS)
  const link = await linkOf(deps, host_id)
  const needsHost = !isHost && link.zoom_account_id !== deps.config.ZOOM_APP_ACCOUNT_ID

  const isLive = await makeSure(deps, host_id, needsHost, deadline)
  const { user, room } = await phoneView(deps, phone)
  const meeting_number = room.zoom_meeting_id
  if (!meeting_number)
    throw new AppError(
      'zoom_unavailable',
      'The meeting of this room could not be made at Zoom. Please try again later.',
    )
  if (needsHost && !isLive) throw hostNotPresent()

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
 * Makes sure that there is a meeting to join, and says whether it runs. Where none runs as far as we know, Zoom is asked:
 * it may have deleted it, or told us of its start in vain. Who needs nothing of Zoom may join though Zoom cannot say.
 */
async function makeSure(deps: Deps, host_id: string, needsZoom: boolean, deadline: Deadline): Promise<boolean> {
  const { id, zoom_meeting_id } = await deps.db
    .selectFrom('rooms')
    .select(['id', 'zoom_meeting_id'])
    .where('host_id', '=', host_id)
    .executeTakeFirstOrThrow()
  if (!zoom_meeting_id) {
    await connectRoom(deps, host_id)
    return false
  }
  if (await liveSitting(deps.db, id)) return true
  try {
    return await looks.run(host_id, () => look(deps, { id, host_id, zoom_meeting_id }, deadline))
  } catch (error) {
    if (needsZoom) throw asAppError(error)
    deps.log.warn(
      { err: error, host_id },
      'Zoom could not say whether a meeting is there; the ticket is given out all the same',
    )
    return false
  }
}

async function look(deps: Deps, room: RoomAtZoom, deadline: Deadline): Promise<boolean> {
  return (await lookAtMeeting(deps, room, deadline)) === 'started'
}

async function passcodeOf(deps: Deps, host_id: string): Promise<string> {
  const room = await deps.db
    .selectFrom('rooms')
    .select(['id', 'passcode_ciphertext'])
    .where('host_id', '=', host_id)
    .executeTakeFirstOrThrow()
  return roomPasscode(deps, room) ?? ''
}

/** A token for one joining: each ticket has its own. */
async function onBehalf(deps: Deps, host_id: string, meeting: string, deadline: Deadline): Promise<string> {
  try {
    return (await deps.zoom.callFor(host_id, readOnBehalfToken(meeting, TICKET_SECONDS), deadline)).token
  } catch (error) {
    if (isFault(error, 'refused', 'invalid') && isAboutHost(error)) throw hostNotPresent(error)
    if (!isFault(error, 'not_found')) throw asAppError(error)
    const { id } = await deps.db
      .selectFrom('rooms')
      .select('id')
      .where('host_id', '=', host_id)
      .executeTakeFirstOrThrow()
    await lookAtMeeting(deps, { id, host_id, zoom_meeting_id: meeting }, deadline).catch(() => {}) // makes it again
    throw hostNotPresent(error)
  }
}

async function zakOf(deps: Deps, host_id: string, deadline: Deadline): Promise<string> {
  try {
    return (await deps.zoom.callFor(host_id, readZak(TICKET_SECONDS), deadline)).token
  } catch (error) {
    throw asAppError(error)
  }
}

function isAboutHost({ details: { code, words = '' } }: ZoomError): boolean {
  return code === MEETING_RULE || /not in the meeting|authorizing user/i.test(words)
}

function hostNotPresent(cause?: unknown): AppError {
  return new AppError('host_not_present', 'The host is not in the meeting yet. Please try again in a moment.', {
    cause,
  })
}
