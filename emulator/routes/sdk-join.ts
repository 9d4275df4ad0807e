import type { FastifyInstance, FastifyRequest } from 'fastify'
import { errors, jwtVerify } from 'jose'
import { z } from 'zod'
import {
  findParticipant,
  isHostInMeeting,
  joinAsHost,
  joinMeeting,
  leaveAsHost,
  leaveMeeting,
  startAsHost,
  TRANSFERRED,
} from '../life/meeting-life.ts'
import { allowAnyOrigin } from '../media/cors.ts'
import type { Sound } from '../media/sound.ts'
import { MeetingNumber, parseInput, parseJsonBody, RestError } from '../rest.ts'
import { appAccountId } from '../state/app-owner.ts'
import { findJoinToken } from '../state/join-tokens.ts'
import type { LiveMeeting } from '../state/memory.ts'
import { participantOfToken, participantToken } from '../state/participant-token.ts'
import type { Account, StoredMeeting, ZoomParticipant } from '../state/state.ts'
import type { Zoom } from '../state/zoom.ts'

const Joining = z.object({
  signature: z.string(),
  meeting_number: MeetingNumber,
  passcode: z.string().default(''),
  user_name: z.string().min(1),
  customer_key: z.string().max(36).optional(),
  zak: z.string().optional(),
  obf_token: z.string().optional(),
  page: z.boolean().default(false), // stays in the meeting only while its event stream is open
})

const PlainJoining = Joining.pick({
  meeting_number: true,
  passcode: true,
  user_name: true,
  zak: true,
  page: true,
}).extend({
  telephone: z.boolean().default(false), // stays without a page, and speaks by HTTP
})

/** The SDK's error numbers and names; the signature has those of the web edition. */
const FAILURES = {
  MEETING_FAIL_PASSWORD_ERR: 4,
  MEETING_FAIL_MEETING_NOT_START: 7,
  MEETING_FAIL_MEETING_NOT_EXIST: 8,
  MEETING_FAIL_AUTHORIZED_USER_NOT_INMEETING: 501,
  MEETING_FAIL_ON_BEHALF_TOKEN_CONFLICT_LOGIN_ERROR: 502,
  MEETING_FAIL_USER_LEVEL_TOKEN_NOT_HAVE_HOST_ZAK_OBF: 503,
  MEETING_FAIL_APP_CAN_NOT_ANONYMOUS_JOIN_MEETING: 504,
  MEETING_FAIL_ON_BEHALF_TOKEN_INVALID: 505,
  MEETING_FAIL_ON_BEHALF_TOKEN_NOT_MATCH_MEETING: 506,
  SIGNATURE_EXPIRED: 3705,
  INCORRECT_ROLE: 3708,
  INVALID_SIGNATURE: 3712,
  PARTICIPANT_EXISTS: 4008,
} as const

const failed = (name: keyof typeof FAILURES) => new RestError(400, FAILURES[name], name)

/** The protocol between the Meeting SDK and Zoom is unpublished, so this one is the emulator's own. */
export function sdkRoutes(zoom: Zoom, sound: Sound) {
  return async (app: FastifyInstance) => {
    allowAnyOrigin(app)

    app.post('/sdk/join', async (request) => {
      const { page, ...joining } = parseInput(Joining, request.body)
      const lost = page ? sound.findLostPage(joining.customer_key) : undefined
      const participant = await join(zoom, joining, lost?.participantUUID)
      if (page) sound.expectPage(participant)
      if (lost) sound.replacePage(lost, participant.participant_uuid)
      return { participant, token: participantToken(zoom, participant.participant_uuid) }
    })

    // People in Zoom's own apps, and on the telephone.
    app.post('/zoom/join', async (request) => {
      const { telephone, ...joining } = parseInput(PlainJoining, request.body)
      const participant = joinWithoutSdk(zoom, joining)
      if (telephone)
        sound.find(participant.participant_uuid)?.room.update(participant.participant_uuid, { audio: 'phone' })
      else if (joining.page) sound.expectPage(participant)
      return { participant, token: participantToken(zoom, participant.participant_uuid) }
    })

    // The real SDK learns over its own connection whether it is still in the meeting.
    app.get<{ Params: { token: string } }>('/sdk/participants/:token', async (request) => ({
      is_in: findByToken(zoom, request.params.token) !== undefined,
    }))

    // A closing page can only send text.
    app.addContentTypeParser('text/plain', { parseAs: 'string' }, async (_request: FastifyRequest, body: string) =>
      parseJsonBody(body),
    )
    app.post('/sdk/leave', async (request) => {
      const found = findByToken(zoom, parseInput(OfParticipant, request.body).token)
      if (found) leaveMeeting(zoom, found.live, found.participant)
      return {}
    })
  }
}

const OfParticipant = z.object({ token: z.string() })

function findByToken(zoom: Zoom, token: string) {
  const uuid = participantOfToken(zoom, token)
  return uuid === null ? undefined : findParticipant(zoom, uuid)
}

type FoundMeeting = { account: Account; meeting: StoredMeeting }

/** `replaced` is the participant whose page reloads, and is no second device. */
async function join(
  zoom: Zoom,
  joining: Omit<z.output<typeof Joining>, 'page'>,
  replaced: string | undefined,
): Promise<ZoomParticipant> {
  const { signature, meeting_number, passcode, zak, obf_token, ...who } = joining
  const role = await readRole(zoom, signature, meeting_number)
  const { account, meeting } = findMeeting(zoom, meeting_number, passcode)
  if (zak !== undefined && obf_token !== undefined) throw failed('MEETING_FAIL_ON_BEHALF_TOKEN_CONFLICT_LOGIN_ERROR')

  if (zak !== undefined) {
    requireZak(zoom, account, zak)
    return role === HOST
      ? enterAsHost(zoom, { account, meeting }, who, replaced)
      : enterAsUser(zoom, account, meeting, who)
  }
  if (role === HOST) throw failed('INCORRECT_ROLE')
  if (obf_token !== undefined) return enterOnBehalf(zoom, { account, meeting }, obf_token, who)
  if (account.account_id !== appAccountId(zoom)) throw failed('MEETING_FAIL_APP_CAN_NOT_ANONYMOUS_JOIN_MEETING')
  return joinMeeting(zoom, requireStarted(account, meeting), who)
}

function findMeeting(zoom: Zoom, meeting_number: string, passcode: string): FoundMeeting {
  const meeting = zoom.state.meetings.find(({ id, deleted }) => String(id) === meeting_number && !deleted)
  const account = meeting && zoom.accountById(meeting.host_id)
  if (!account) throw failed('MEETING_FAIL_MEETING_NOT_EXIST')
  if (meeting.password !== passcode) throw failed('MEETING_FAIL_PASSWORD_ERR')
  return { account, meeting }
}

/** A person's own app needs no signature, and names no customer key. */
function joinWithoutSdk(
  zoom: Zoom,
  { meeting_number, passcode, user_name, zak }: Omit<z.output<typeof PlainJoining>, 'telephone'>,
): ZoomParticipant {
  const found = findMeeting(zoom, meeting_number, passcode)
  if (zak === undefined) return joinMeeting(zoom, requireStarted(found.account, found.meeting), { user_name })
  requireZak(zoom, found.account, zak)
  return enterAsHost(zoom, found, { user_name }, undefined)
}

type JoiningGuest = { user_name: string; customer_key?: string | undefined }

const HOST = 1

/** Verifies HS256 with the app's secret, for this meeting and time, and returns the role that it permits. */
async function readRole(zoom: Zoom, signature: string, meeting_number: string) {
  const { clientId, clientSecret, sdkKey = clientId, sdkSecret = clientSecret } = zoom.settings
  const secret = new TextEncoder().encode(sdkSecret)
  const verified = await jwtVerify(signature, secret, {
    algorithms: ['HS256'],
    currentDate: new Date(zoom.now()),
  }).catch((error: unknown) => {
    throw failed(error instanceof errors.JWTExpired ? 'SIGNATURE_EXPIRED' : 'INVALID_SIGNATURE')
  })
  const Claims = z.object({ appKey: z.literal(sdkKey), mn: z.literal(meeting_number), role: z.literal([0, HOST]) })
  const claims = Claims.safeParse(verified.payload)
  if (!claims.success) throw failed('INVALID_SIGNATURE')
  return claims.data.role
}

function requireZak(zoom: Zoom, account: Account, zak: string) {
  if (findJoinToken(zoom, 'zak', zak)?.user_id !== account.id)
    throw failed('MEETING_FAIL_USER_LEVEL_TOKEN_NOT_HAVE_HOST_ZAK_OBF')
}

/** Joins with the host's account, which without the role cannot start the meeting. */
function enterAsUser(zoom: Zoom, account: Account, meeting: StoredMeeting, who: JoiningGuest) {
  return joinAsHost(zoom, requireStarted(account, meeting), who)
}

/** Starts the meeting, for which Zoom only sends meeting.started, or joins the running one. */
function enterAsHost(
  zoom: Zoom,
  { account, meeting }: FoundMeeting,
  who: JoiningGuest,
  replaced: string | undefined,
): ZoomParticipant {
  const { sitting } = meeting
  if (!sitting) return startAsHost(zoom, account, meeting, who)
  const live = { account, meeting, sitting }
  const { host_twice } = zoom.options
  const isTwice = isHostInMeeting(live, replaced)
  if (isTwice && host_twice === 'refuse') throw failed('PARTICIPANT_EXISTS')
  const host = joinAsHost(zoom, live, who)
  if (isTwice && host_twice === 'transfer') leaveAsHost(zoom, live, { reason: TRANSFERRED, except: host })
  return host
}

/** A guest who arrives before the host is refused, and Zoom emails the host about it. */
function enterOnBehalf(zoom: Zoom, { account, meeting }: FoundMeeting, token: string, who: JoiningGuest) {
  const held = findJoinToken(zoom, 'onbehalf', token)
  if (!held || held.isSpent) throw failed('MEETING_FAIL_ON_BEHALF_TOKEN_INVALID')
  if (held.meeting_id !== meeting.id) throw failed('MEETING_FAIL_ON_BEHALF_TOKEN_NOT_MATCH_MEETING')
  const { sitting } = meeting
  if (!sitting || !isHostInMeeting({ account, meeting, sitting })) {
    zoom.memory.mails.push({ to: account.email, about: `Someone is waiting to join meeting ${meeting.id}` })
    throw failed('MEETING_FAIL_AUTHORIZED_USER_NOT_INMEETING')
  }
  held.isSpent = true
  return joinMeeting(zoom, { account, meeting, sitting }, { ...who, on_behalf: true })
}

function requireStarted(account: Account, meeting: StoredMeeting): LiveMeeting {
  if (!meeting.sitting) throw failed('MEETING_FAIL_MEETING_NOT_START')
  return { account, meeting, sitting: meeting.sitting }
}
