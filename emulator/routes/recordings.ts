import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { ZoomScope } from '../../shared/zoom-scopes.ts'
import { emptyOldTrash, newDownloadToken, removeRecording, sendRecordingChange } from '../life/recording-life.ts'
import { parseInput, RestError } from '../rest.ts'
import { meetingInPath } from '../state/identifiers.ts'
import { recordingJson, visibleFiles } from '../state/recording-json.ts'
import type { Account, CloudRecording } from '../state/state.ts'
import { zoomTime } from '../state/times.ts'
import type { Zoom } from '../state/zoom.ts'
import { authorize, requireOwnUserId } from './authorize.ts'
import { storageFullError } from './live-meetings.ts'
import { listRecordings } from './recording-list.ts'

const DeleteQuery = z.object({ action: z.enum(['trash', 'delete']).default('trash') })
const Recover = z.object({ action: z.literal('recover') })
const WEEK_SECONDS = 604_800
const DetailQuery = z.object({
  include_fields: z.string().default(''),
  ttl: z.coerce.number().int().min(0).max(WEEK_SECONDS).default(7200),
})

export function recordingRoutes(zoom: Zoom) {
  return async (app: FastifyInstance) => {
    app.get<{ Params: { userId: string } }>('/users/:userId/recordings', async (request, reply) => {
      const account = enter(zoom, request, reply, 'cloud_recording:read:list_user_recordings')
      requireOwnUserId(request.params.userId)
      return listRecordings(zoom, account, request.query)
    })

    app.get('/meetings/:meetingId/recordings', async (request, reply) => {
      const account = enter(zoom, request, reply, 'cloud_recording:read:list_recording_files')
      const { include_fields, ttl } = parseInput(DetailQuery, request.query)
      const recording = recordingNamed(zoom, account, request.url, isVisible)
      const pass = include_fields.split(',').includes('download_access_token')
        ? { download_access_token: newDownloadToken(zoom, recording, 'api', ttl * 1000) }
        : {}
      const details = recordingJson(zoom, recording, visibleFiles(recording), 'api')
      return { ...details, password: recording.passcode, participant_audio_files: [], ...pass }
    })

    app.delete('/meetings/:meetingId/recordings', async (request, reply) => {
      const account = enter(zoom, request, reply, 'cloud_recording:delete:meeting_recording')
      const { action } = parseInput(DeleteQuery, request.query)
      const recording = recordingNamed(zoom, account, request.url, action === 'delete' ? isThere : isVisible)
      requireComplete(recording)
      if (action === 'delete') {
        removeRecording(zoom, recording)
        sendRecordingChange(zoom, account, recording, recording.files, 'deleted')
      } else {
        recording.deleted_time = zoomTime(zoom.now())
        sendRecordingChange(zoom, account, recording, recording.files, 'trashed')
      }
      return reply.code(204).send()
    })

    app.put('/meetings/:meetingId/recordings/status', async (request, reply) => {
      const account = enter(zoom, request, reply, 'cloud_recording:update:recover_meeting_recordings')
      parseInput(Recover, request.body)
      const recording = recordingNamed(zoom, account, request.url, isTrashed)
      if (account.settings.storage_full) throw storageFullError()
      recording.deleted_time = null
      sendRecordingChange(zoom, account, recording, recording.files, 'recovered')
      return reply.code(200).send()
    })
  }
}

/** All calls for cloud recordings need a paid plan. */
function enter(zoom: Zoom, request: FastifyRequest, reply: FastifyReply, scope: ZoomScope) {
  const label = request.url.startsWith('/v2/users/') ? 'Medium' : 'Light'
  const account = authorize(zoom, request, reply, scope, label)
  if (account.type === 1) throw new RestError(400, 200, `Only available for paid account: ${account.account_id}.`)
  emptyOldTrash(zoom)
  return account
}

const isThere = () => true
const isTrashed = (recording: CloudRecording) => recording.deleted_time !== null
const isVisible = (recording: CloudRecording) => visibleFiles(recording).length > 0

/** A UUID identifies one sitting; a number finds the latest match, which may not be the one the caller means. */
function recordingNamed(zoom: Zoom, account: Account, url: string, fits: (recording: CloudRecording) => boolean) {
  const name = meetingInPath(url)
  const [latest] = zoom.state.recordings
    .filter((recording) => recording.host_id === account.id)
    .filter((recording) => recording.uuid === name || String(recording.meeting_id) === name)
    .filter(fits)
    .toSorted((a, b) => b.start_time.localeCompare(a.start_time))
  if (!latest) throw noRecording()
  return latest
}

function requireComplete(recording: CloudRecording) {
  if (recording.files.every((file) => file.status === 'completed')) return
  throw new RestError(400, 3303, 'You can not delete an uncompleted meeting.')
}

const noRecording = () => new RestError(404, 3301, 'There is no recording for this meeting.')
