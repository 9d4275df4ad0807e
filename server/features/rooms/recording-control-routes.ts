import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { room } from '../../../shared/examples.ts'
import { RecordingAction, RoomAnswer } from '../../../shared/rooms.ts'
import type { Deps } from '../../deps.ts'
import { withExample } from '../../lib/with-example.ts'
import { allow, signedInHost } from '../auth/guards.ts'
import { controlRecording } from './recording-control.ts'

const ByAction = z.object({ action: RecordingAction })
const MESSAGES: Record<RecordingAction, string> = {
  start: 'Recording started',
  pause: 'Recording paused',
  resume: 'The recording continues',
  stop: 'Recording stopped',
}

export const recordingControlRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'host')

    app.post(
      '/host/recording/:action',
      {
        schema: {
          tags: ['Live control'],
          operationId: 'controlRecording',
          summary: 'Start, pause, resume or stop the recording of the running meeting',
          description: "Zoom does it a moment later; the room's `recording` shows it at once.",
          params: withExample(ByAction, { action: 'pause' }),
          response: {
            200: withExample(RoomAnswer, {
              success: true,
              message: 'Recording paused',
              data: { room: { ...room, recording: 'paused' } },
            }),
          },
          failures: [
            'room_not_connected',
            'meeting_not_live',
            'recording_off',
            'zoom_storage_full',
            'zoom_reconnect',
            'zoom_unavailable',
            'busy',
          ],
        },
        config: { actsAtZoom: true },
      },
      async (request) => {
        const { action } = request.params
        const room = await controlRecording(deps, signedInHost(request), action, request.ip)
        return { success: true as const, message: MESSAGES[action], data: { room } }
      },
    )
  }
