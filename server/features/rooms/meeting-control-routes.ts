import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { MEETING, room } from '../../../shared/examples.ts'
import { EndMeeting, RoomAnswer, StartMeetingAnswer } from '../../../shared/rooms.ts'
import type { Deps } from '../../deps.ts'
import { withExample } from '../../lib/with-example.ts'
import { allow, signedInHost } from '../auth/guards.ts'
import { endRoomMeeting, fetchStartLink } from './meeting-control.ts'

const tags = ['Live control']
const LIMIT = {
  rateLimit: { max: 12 },
  tooMany: 'The meeting was started or ended many times just now. Please wait a moment and try again.',
}

export const meetingControlRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'host')

    app.post(
      '/host/room/start',
      {
        schema: {
          tags,
          operationId: 'startMeeting',
          summary: "Get Zoom's link that starts the meeting",
          description:
            'Fetched from Zoom for each call. Whoever opens it within two hours is the host of the meeting, so it is ' +
            "neither stored nor replayed: a repeated `Idempotency-Key` gets a new link. The room's `is_live` turns true " +
            'once Zoom reports the start. If the meeting is running already, the link lets the host in.',
          response: {
            200: withExample(StartMeetingAnswer, {
              success: true,
              data: { start_url: `https://us04web.zoom.us/s/${MEETING.number}?zak=eyJ0eXAi` },
            }),
          },
          failures: ['room_not_connected', 'zoom_reconnect', 'zoom_unavailable', 'busy'],
        },
        config: { ...LIMIT, isNeverReplayed: true, turns: 'zoom' },
      },
      async (request) => ({
        success: true as const,
        data: { start_url: await fetchStartLink(deps, signedInHost(request), request.ip) },
      }),
    )

    app.post(
      '/host/room/end',
      {
        schema: {
          tags,
          operationId: 'endMeeting',
          summary: 'End the running meeting for everyone in it',
          description:
            "The room's `is_live` is false immediately. Phones stay signed in to the room. With `expect`, a meeting that " +
            'began later goes on.',
          body: withExample(EndMeeting, { expect: { live_since: room.live_since, meeting_uuid: room.meeting_uuid } }),
          response: {
            200: withExample(RoomAnswer, {
              success: true,
              message: 'The meeting has ended',
              data: {
                room: {
                  ...room,
                  is_live: false,
                  recording: 'none',
                  meeting_uuid: null,
                  live_since: null,
                  recording_since: null,
                  recorded_seconds: 0,
                  participant_count: null,
                },
              },
            }),
          },
          failures: [
            'room_not_connected',
            'meeting_not_live',
            'state_changed',
            'zoom_reconnect',
            'zoom_unavailable',
            'busy',
          ],
        },
        config: { ...LIMIT, actsAtZoom: true },
      },
      async (request) => {
        const room = await endRoomMeeting(deps, signedInHost(request), request.ip, request.body?.expect)
        return { success: true as const, message: 'The meeting has ended', data: { room } }
      },
    )
  }
