import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { controlRecording, leaveMeeting } from '../life/meeting-life.ts'
import { invalidFields, MeetingNumber, parseInput, RestError } from '../rest.ts'
import { meetingInPath } from '../state/identifiers.ts'
import { isCloudRecordingAllowed } from '../state/meeting-settings.ts'
import type { Zoom } from '../state/zoom.ts'
import { authorize } from './authorize.ts'

const InMeetingControl = z.object({
  method: z.enum([
    'recording.start',
    'recording.stop',
    'recording.pause',
    'recording.resume',
    'waiting_room.update',
    'participant.remove',
  ]),
  params: z.object({ participant_uuid: z.string().optional() }).optional(),
})

export function liveMeetingRoutes(zoom: Zoom) {
  return async (app: FastifyInstance) => {
    app.patch('/live_meetings/:meetingId/events', async (request, reply) => {
      const account = authorize(zoom, request, reply, 'meeting:update:in_meeting_controls', 'Medium')
      const { method, params } = parseInput(InMeetingControl, request.body)
      const id = MeetingNumber.safeParse(meetingInPath(request.url))
      if (!id.success) throw new RestError(400, 300, 'Invalid meeting ID.')
      const meeting = zoom.state.meetings.find(
        (held) => String(held.id) === id.data && held.host_id === account.id && !held.deleted,
      )
      const sitting = meeting?.sitting
      if (!sitting) throw new RestError(404, 3001, `Meeting ${id.data} is not found or has expired.`)

      const live = { account, meeting, sitting }
      switch (method) {
        case 'recording.start':
        case 'recording.stop':
        case 'recording.pause':
        case 'recording.resume':
          if (!isCloudRecordingAllowed(account))
            throw new RestError(400, 300, 'This API is not available for this account.')
          if (method === 'recording.start' && account.settings.storage_full) throw storageFullError()
          controlRecording(zoom, live, verbOf[method])
          break
        case 'participant.remove': {
          const leaver = sitting.participants.find((one) => one.participant_uuid === params?.participant_uuid)
          if (!leaver) throw invalidFields('params.participant_uuid')
          leaveMeeting(zoom, live, leaver, 'Removed by host')
          break
        }
        case 'waiting_room.update':
          break
      }
      return reply.code(202).send()
    })
  }
}

const verbOf = {
  'recording.start': 'start',
  'recording.stop': 'stop',
  'recording.pause': 'pause',
  'recording.resume': 'resume',
} as const

export function storageFullError() {
  return new RestError(
    400,
    3309,
    'Not enough cloud storage available. Either purchase additional storage or delete cloud recordings to free up storage.',
  )
}
