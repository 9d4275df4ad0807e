import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { HOST_ROLES } from '../../../shared/auth.ts'
import type { RecordingAction, Room } from '../../../shared/rooms.ts'
import type { HostActor } from '../../db/actor.ts'
import type { Deps } from '../../deps.ts'
import { TokenBuckets } from '../../lib/token-bucket.ts'
import { allow, signedInHost } from '../auth/guards.ts'
import * as api from './api.ts'
import { changePasscodeNow } from './change-passcode.ts'
import { endRoomMeeting, fetchStartLink } from './meeting-control.ts'
import { controlRecording } from './recording-control.ts'
import { findRoom } from './rooms.ts'

/** The limit per host: each change counts against Zoom's 100 meeting updates a day. */
const PASSCODES = {
  name: 'passcodes',
  burst: 5,
  perSecond: 1 / 1800,
  message: 'The passcode was changed several times just now. Please wait a while and try again.',
}

const MEETING_LIMIT = {
  rateLimit: { max: 12 },
  tooMany: 'The meeting was started or ended many times just now. Please wait a moment and try again.',
}

const MESSAGES: Record<RecordingAction, string> = {
  start: 'Recording started',
  pause: 'Recording paused',
  resume: 'The recording continues',
  stop: 'Recording stopped',
}

export const roomRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, ...HOST_ROLES)

    app.get('/host/room', { schema: api.getRoom, config: { background: true } }, async (request) => {
      const by = signedInHost(request)
      return { success: true as const, data: { room: shownTo(by, await findRoom(deps, by)) } }
    })

    app.get('/host/details', { schema: api.getRoomDetails, config: { background: true } }, async (request) => {
      const { room_id, room_name } = await findRoom(deps, signedInHost(request))
      return { success: true as const, room_id, room_name }
    })
  }

/** A moderator needs no passcode: phones get it with their tickets. */
function shownTo({ acts_as }: HostActor, { password, ...room }: Room): Room {
  return acts_as === 'moderator' ? room : { ...room, password }
}

export const meetingRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'host', 'manager')

    app.post(
      '/host/room/end',
      { schema: api.endMeeting, config: { ...MEETING_LIMIT, actsAtZoom: true } },
      async (request) => {
        const room = await endRoomMeeting(deps, signedInHost(request), request.body?.expect)
        return { success: true as const, message: 'The meeting has ended', data: { room } }
      },
    )

    app.post(
      '/host/recording/:action',
      { schema: api.controlRecording, config: { actsAtZoom: true } },
      async (request) => {
        const { action } = request.params
        const room = await controlRecording(deps, signedInHost(request), action)
        return { success: true as const, message: MESSAGES[action], data: { room } }
      },
    )
  }

/** The link starts Zoom as the host, and the passcode is the host's. */
export const startMeetingRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'host')
    const passcodes = new TokenBuckets(deps, PASSCODES)

    app.post('/host/room/passcode', { schema: api.setNewPasscode }, async (request) => {
      const changed = await changePasscodeNow(deps, passcodes, signedInHost(request))
      const message = changed
        ? 'The meeting has a new passcode'
        : 'Zoom does not take a new passcode now. It is set as soon as Zoom does, once the meeting is over.'
      return { success: true as const, message, data: { changed } }
    })

    app.post(
      '/host/room/start',
      { schema: api.startMeeting, config: { ...MEETING_LIMIT, isNeverReplayed: true, turns: 'zoom' } },
      async (request) => ({
        success: true as const,
        data: { start_url: await fetchStartLink(deps, signedInHost(request)) },
      }),
    )
  }
