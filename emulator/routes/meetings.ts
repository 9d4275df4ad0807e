import { randomInt } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { endMeeting } from '../life/meeting-life.ts'
import { invalidFields, MeetingNumber, parseInput, RestError } from '../rest.ts'
import { meetingInPath, newUuid, randomId } from '../state/identifiers.ts'
import { newJoinToken } from '../state/join-tokens.ts'
import { defaultMeetingSettings, effectiveSettings, RequestedSettings } from '../state/meeting-settings.ts'
import type { Account, StoredMeeting } from '../state/state.ts'
import { zoomTime } from '../state/times.ts'
import type { Zoom } from '../state/zoom.ts'
import { authorize, requireOwnUserId } from './authorize.ts'
import { countMeetingWriteToday } from './rate-limits.ts'

const START_LINK_SECONDS = 2 * 60 * 60

const Changes = z.object({
  topic: z.string().max(200).optional(),
  agenda: z.string().max(2000).optional(),
  type: z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(8), z.literal(10)]).optional(),
  start_time: z.string().optional(),
  timezone: z.string().optional(),
  duration: z.int().min(1).max(1440).optional(),
  password: z
    .string()
    .regex(/^[\x21-\x7e]{0,10}$/)
    .optional(),
  settings: RequestedSettings.optional(),
})
const NewMeeting = Changes.extend({ default_password: z.boolean().default(true) })

/** Zoom can also recover a deleted meeting, but the app does not use that. */
const StatusChange = z.object({ action: z.literal('end') })

export function meetingRoutes(zoom: Zoom) {
  return async (app: FastifyInstance) => {
    app.post<{ Params: { userId: string } }>('/users/:userId/meetings', async (request, reply) => {
      const account = authorize(zoom, request, reply, 'meeting:write:meeting')
      requireOwnUserId(request.params.userId)
      const requested = parseInput(NewMeeting, request.body)
      const start_time = startTime(requested.start_time, requested.timezone ?? account.timezone)
      countMeetingWriteToday(zoom, account)

      const meeting = createMeeting(zoom, account, requested, start_time)
      return reply.code(201).send(meetingJson(zoom, account, meeting))
    })

    app.get('/meetings/:meetingId', async (request, reply) => {
      const account = authorize(zoom, request, reply, 'meeting:read:meeting')
      return meetingJson(zoom, account, meetingNamed(zoom, account, request.url))
    })

    app.patch('/meetings/:meetingId', async (request, reply) => {
      const account = authorize(zoom, request, reply, 'meeting:update:meeting')
      const meeting = meetingNamed(zoom, account, request.url)
      const { settings, start_time, ...fields } = parseInput(Changes, request.body)
      const moved = startTime(start_time, fields.timezone ?? meeting.timezone)
      countMeetingWriteToday(zoom, account)

      if (fields.password !== undefined && fields.password !== meeting.password)
        meeting.encrypted_password = randomId(24)
      Object.assign(meeting, fields)
      if (moved !== null && moved > zoom.now()) meeting.start_time = zoomTime(moved)
      meeting.settings = effectiveSettings(account, meeting.settings, settings ?? {})
      return reply.code(204).send()
    })

    app.put('/meetings/:meetingId/status', async (request, reply) => {
      const account = authorize(zoom, request, reply, 'meeting:update:status')
      const meeting = meetingNamed(zoom, account, request.url)
      parseInput(StatusChange, request.body)
      // Not documented; this is one of the call's possible errors.
      if (!meeting.sitting) throw new RestError(400, 3000, 'This meeting is not in progress.')
      endMeeting(zoom, { account, meeting, sitting: meeting.sitting })
      return reply.code(204).send()
    })

    app.delete('/meetings/:meetingId', async (request, reply) => {
      const account = authorize(zoom, request, reply, 'meeting:delete:meeting')
      const meeting = meetingNamed(zoom, account, request.url)
      if (meeting.type === 4) throw new RestError(400, 3018, 'Not allowed to delete PMI.')
      meeting.deleted = true // its recordings stay
      return reply.code(204).send()
    })
  }
}

function meetingNamed(zoom: Zoom, account: Account, url: string) {
  const id = MeetingNumber.safeParse(meetingInPath(url))
  if (!id.success) throw new RestError(400, 300, 'Invalid meeting id.')
  return findMeeting(zoom, account, id.data)
}

/** Another user's meeting counts as not found. */
export function findMeeting(zoom: Zoom, account: Account, id: string) {
  const meeting = zoom.state.meetings.find((held) => String(held.id) === id && held.host_id === account.id)
  if (!meeting || meeting.deleted) throw new RestError(404, 3001, `Meeting does not exist: ${id}.`)
  return meeting
}

function createMeeting(zoom: Zoom, account: Account, requested: z.infer<typeof NewMeeting>, start: number | null) {
  const type = requested.type ?? 2
  const needsPasscode = requested.default_password && account.settings.require_passcode
  const meeting: StoredMeeting = {
    id: newMeetingNumber(zoom),
    uuid: newUuid(++zoom.state.serial),
    host_id: account.id,
    topic: requested.topic ?? 'Zoom Meeting',
    agenda: requested.agenda ?? '',
    type,
    duration: requested.duration ?? 60,
    timezone: requested.timezone ?? account.timezone,
    start_time: type === 1 || type === 3 ? null : zoomTime(Math.max(start ?? 0, zoom.now())),
    created_at: zoomTime(zoom.now()),
    password: requested.password ?? (needsPasscode ? String(randomInt(100_000, 1_000_000)) : ''),
    encrypted_password: randomId(24),
    settings: effectiveSettings(
      account,
      { ...defaultMeetingSettings, auto_recording: account.settings.auto_recording },
      requested.settings ?? {},
    ),
    deleted: false,
    sitting: null,
  }
  zoom.state.meetings.push(meeting)
  return meeting
}

function newMeetingNumber(zoom: Zoom): number {
  const id = randomInt(80_000_000_000, 99_999_999_999)
  return zoom.state.meetings.some((meeting) => meeting.id === id) ? newMeetingNumber(zoom) : id
}

/** Zoom accepts UTC, or a local time without `Z` plus a timezone. */
function startTime(text: string | undefined, timezone: string) {
  if (text === undefined) return null
  try {
    if (text.endsWith('Z')) return Temporal.Instant.from(text).epochMilliseconds
    return Temporal.PlainDateTime.from(text).toZonedDateTime(timezone).epochMilliseconds
  } catch {
    throw invalidFields('start_time')
  }
}

export function meetingJson(zoom: Zoom, account: Account, meeting: StoredMeeting) {
  const { id, password, encrypted_password } = meeting
  return {
    uuid: meeting.uuid,
    id,
    host_id: account.id,
    host_email: account.email,
    topic: meeting.topic,
    type: meeting.type,
    status: meeting.sitting ? 'started' : 'waiting',
    ...(meeting.start_time === null ? {} : { start_time: meeting.start_time }),
    ...(meeting.type === 4 ? { pmi: String(id) } : {}),
    duration: meeting.duration,
    timezone: meeting.timezone,
    agenda: meeting.agenda,
    created_at: meeting.created_at,
    start_url: `${zoom.origin}/s/${id}?zak=${newJoinToken(zoom, account, { kind: 'zak', seconds: START_LINK_SECONDS })}`,
    join_url: `${zoom.origin}/j/${id}${password ? `?pwd=${encrypted_password}` : ''}`,
    password,
    h323_password: password,
    pstn_password: password,
    encrypted_password,
    pre_schedule: false,
    creation_source: 'open_api',
    settings: meeting.settings,
  }
}
