import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { Done } from '../../../shared/envelope.ts'
import { ID, LINK, MEETING, recording } from '../../../shared/examples.ts'
import { RecordingsAnswer, RecordingsQuery } from '../../../shared/recordings.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { uuidOr404 } from '../../lib/uuid.ts'
import { withExample } from '../../lib/with-example.ts'
import { allow, ofAccount, signedInHost } from '../auth/guards.ts'
import { openCopy } from './archive/archive-file.ts'
import { findMedia } from './media.ts'
import { isExpired, isSignedLink, MediaQuery } from './media-links.ts'
import { parseMeetingId } from './parse-meeting-id.ts'
import { RECORDING_NOT_FOUND } from './recording-index.ts'
import { findRecordings } from './recordings.ts'
import { sendCopy, sendMedia } from './send-media.ts'
import { recoverRecordings, trashCopy, trashRecordings } from './trash.ts'

const RecordingId = z.object({ id: z.string().max(64) })
const FetchLive = z.object({ fetch_live: z.boolean() })
const isLive = ({ query }: FastifyRequest) => FetchLive.parse(query).fetch_live
/** A live list may take a dozen Zoom calls, of which an account has a limited number per day. */
const LIST_LIMIT = {
  rateLimit: {
    max: 120,
    keyGenerator: (request: FastifyRequest) => `${isLive(request) ? 'live' : 'stored'} ${ofAccount(request)}`,
  },
  turns: (request: FastifyRequest) => (isLive(request) ? ('zoom' as const) : ('database' as const)),
}

const Meeting = z.object({ meetingIdOrUuid: z.string().max(300) })

const tags = ['Recordings']
const ZOOM_FAILURES = ['conflict', 'zoom_reconnect', 'room_not_connected', 'zoom_unavailable', 'busy'] as const

export const recordingRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'host')

    app.get(
      '/recordings',
      {
        schema: {
          tags,
          operationId: 'listRecordings',
          summary: "List the room's recordings",
          description:
            'One row for each file of the requested types, newest first, of the last six months unless `from` and `to` say ' +
            'otherwise. `data.stale` is true if Zoom was called and could not answer: then the rows are the last known ' +
            'ones. `archived` says that the server has its own copy; `source` is `local` once Zoom no longer has the file. ' +
            '`data.archive.is_full` says that archiving has stopped for lack of space.',
          querystring: withExample(RecordingsQuery, {
            from: '2026-05-21',
            to: '2026-11-21',
            page_size: 100,
            fetch_all: 'true',
            file_types: 'M4A',
            fetch_live: 'true',
          }),
          response: {
            200: withExample(RecordingsAnswer, {
              success: true,
              data: {
                recordings: [recording],
                total: 1,
                stale: false,
                archive: { is_full: false, waiting: 0, used_gb: 0.4, limit_gb: 5, message: null },
              },
            }),
          },
        },
        config: LIST_LIMIT,
      },
      async (request) => {
        const host = signedInHost(request)
        return { success: true as const, data: await findRecordings(deps, host, request.query) }
      },
    )

    app.delete(
      '/recordings/meetings/:meetingIdOrUuid/recordings',
      {
        schema: {
          tags,
          operationId: 'deleteMeetingRecordings',
          summary: "Move a meeting's recordings to Zoom's trash",
          description:
            'One session of the meeting, named by its UUID (URL-encoded once or twice), or by the meeting number if only ' +
            'one session has recordings.',
          params: withExample(Meeting, { meetingIdOrUuid: MEETING.uuid }),
          response: { 200: withExample(Done, { success: true, message: 'Moved to Trash' }) },
          failures: ZOOM_FAILURES,
        },
        config: { actsAtZoom: true },
      },
      async (request) => {
        const meeting = parseMeetingId(request.params.meetingIdOrUuid)
        await trashRecordings(deps, signedInHost(request), meeting, request.ip)
        return { success: true as const, message: 'Moved to Trash' }
      },
    )

    app.delete(
      '/host/recordings/:id',
      {
        schema: {
          tags,
          operationId: 'deleteArchivedRecording',
          summary: 'Move an archived recording to the trash',
          description:
            'For a recording whose `source` is not `zoom_cloud`: Zoom no longer has it. It can be recovered for 30 days, ' +
            'then its file is removed. A recording that Zoom still has is 409.',
          params: withExample(RecordingId, { id: ID.archivedRecording }),
          response: { 200: withExample(Done, { success: true, message: 'Moved to Trash' }) },
          failures: ['conflict'],
        },
        config: { actsAtZoom: true },
      },
      async (request) => {
        const id = uuidOr404(request.params.id, RECORDING_NOT_FOUND)
        await trashCopy(deps, signedInHost(request), id, request.ip)
        return { success: true as const, message: 'Moved to Trash' }
      },
    )

    app.post(
      '/recordings/meetings/:meetingIdOrUuid/recover',
      {
        schema: {
          tags,
          operationId: 'recoverMeetingRecordings',
          summary: "Restore a meeting's recordings from the trash",
          description:
            'Reverses the move to the trash while it is kept there, which is 30 days at Zoom and here. The session is named ' +
            'in the same way. What is no longer in the trash is 404.',
          params: withExample(Meeting, { meetingIdOrUuid: MEETING.trashedUuid }),
          response: { 200: withExample(Done, { success: true, message: 'Taken out of the trash' }) },
          failures: ZOOM_FAILURES,
        },
        config: { actsAtZoom: true },
      },
      async (request) => {
        const meeting = parseMeetingId(request.params.meetingIdOrUuid)
        await recoverRecordings(deps, signedInHost(request), meeting, request.ip)
        return { success: true as const, message: 'Taken out of the trash' }
      },
    )
  }

/** The signature in the URL replaces the token, which a player does not send, for up to an hour. */
export const mediaRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'public')

    // Fastify would answer HEAD by reading everything that GET sends: the whole file.
    const options = {
      schema: {
        tags,
        operationId: 'readMedia',
        summary: 'Play or download a recording',
        description:
          'The URL comes from `play_url` or `download_url`: its signature replaces a token for up to an hour, and ends with ' +
          'the session that requested it. `Range` is supported.',
        callers: 'anyone with the URL, which is signed',
        params: withExample(RecordingId, { id: ID.recording }),
        querystring: withExample(MediaQuery, { kind: 'play', ...LINK }),
        produces: ['audio/mp4'],
        response: {
          200: z.unknown().describe('The bytes of the file.'),
          206: z.undefined().describe('The requested part of the file.'),
          416: z.undefined().describe('The file has no such part.'),
        },
        readsHeaders: ['Range' as const],
        failures: ['not_allowed', 'zoom_reconnect', 'zoom_unavailable', 'room_not_connected', 'busy'] as const,
      },
      exposeHeadRoute: false,
    }
    app.get('/recordings/media/:id', options, async (request, reply) => {
      const media = await findMedia(deps, uuidOr404(request.params.id, RECORDING_NOT_FOUND))
      // An unknown id gets the same answer, so that a guessed URL does not reveal which recordings exist.
      if (!isSignedLink(deps, media.id, media.host_id, request.query))
        throw new AppError('not_found', RECORDING_NOT_FOUND)
      if (isExpired(deps, request.query) || !(await deps.sessions.findById(request.query.session)))
        throw new AppError('not_allowed', 'This link has expired. Please reload the list of recordings.')

      const { range } = request.headers
      const copy = await openCopy(deps, media)
      if (copy) return sendCopy(reply, media, request.query.kind, copy, range)

      const leaving = new AbortController()
      reply.raw.on('close', () => leaving.abort())
      const answer = await deps.mediaSource.open(media, { range, signal: leaving.signal })
      return sendMedia(reply, media, request.query.kind, answer, range)
    })
  }
