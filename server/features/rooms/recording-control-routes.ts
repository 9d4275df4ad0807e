import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { RecordingAction, RoomAnswer } from '../../../shared/rooms.ts'
import type { Deps } from '../../deps.ts'
import { allow, signedInHost } from '../auth/guards.ts'
import { controlRecording } from './recording-control.ts'

const ByAction = z.object({ action: RecordingAction })
const SAID: Record<RecordingAction, string> = {
  start: 'The recording has started',
  pause: 'The recording is paused',
  resume: 'The recording goes on',
  stop: 'The recording has stopped',
}

export const recordingControlRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'host')

    app.post(
      '/host/recording/:action',
      { schema: { params: ByAction, response: { 200: RoomAnswer } }, config: { actsAtZoom: true } },
      async (request) => {
        const { action } = request.params
        const room = await controlRecording(deps, signedInHost(request), action, request.ip)
        return { success: true as const, message: SAID[action], data: { room } }
      },
    )
  }
