import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { Done } from '../../../shared/envelope.ts'
import { RecordingsAnswer, RecordingsQuery } from '../../../shared/recordings.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { uuidOr404 } from '../../lib/uuid.ts'
import { allow, signedInHost } from '../auth/guards.ts'
import { openCopy } from './archive/archive-file.ts'
import { findMedia } from './media.ts'
import { isOurLink, isOverdue, MediaQuery } from './media-links.ts'
import { meetingNamed } from './meeting-named.ts'
import { RECORDING_NOT_FOUND } from './recording-index.ts'
import { findRecordings } from './recordings.ts'
import { sendCopy, sendMedia } from './send-media.ts'
import { recoverRecordings, trashCopy, trashRecordings } from './trash.ts'

const RecordingId = z.object({ id: z.string().max(64) })
/** A live list may take a dozen calls of Zoom's, of which an account has only so many a day. */
const LIVE_LIMIT = {
  rateLimit: { max: 120, allowList: ({ query }: FastifyRequest) => !FetchLive.parse(query).fetch_live },
  tooMany: 'Too many requests to Zoom. Please wait a moment and try again.',
}
const FetchLive = z.object({ fetch_live: z.boolean() })

const Meeting = z.object({ meetingIdOrUuid: z.string().max(300) })

export const recordingRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'host')

    app.get(
      '/recordings',
      { schema: { querystring: RecordingsQuery, response: { 200: RecordingsAnswer } }, config: LIVE_LIMIT },
      async (request) => {
        const host = signedInHost(request)
        return { success: true as const, data: await findRecordings(deps, host, request.query) }
      },
    )

    app.delete(
      '/recordings/meetings/:meetingIdOrUuid/recordings',
      { schema: { params: Meeting, response: { 200: Done } }, config: { actsAtZoom: true } },
      async (request) => {
        const meeting = meetingNamed(request.params.meetingIdOrUuid)
        await trashRecordings(deps, signedInHost(request).host_id, meeting, request.ip)
        return { success: true as const, message: 'Moved to Trash' }
      },
    )

    app.delete(
      '/host/recordings/:id',
      { schema: { params: RecordingId, response: { 200: Done } }, config: { actsAtZoom: true } },
      async (request) => {
        const id = uuidOr404(request.params.id, RECORDING_NOT_FOUND)
        await trashCopy(deps, signedInHost(request).host_id, id, request.ip)
        return { success: true as const, message: 'Moved to Trash' }
      },
    )

    app.post(
      '/recordings/meetings/:meetingIdOrUuid/recover',
      { schema: { params: Meeting, response: { 200: Done } }, config: { actsAtZoom: true } },
      async (request) => {
        const meeting = meetingNamed(request.params.meetingIdOrUuid)
        await recoverRecordings(deps, signedInHost(request).host_id, meeting, request.ip)
        return { success: true as const, message: 'Taken out of the trash' }
      },
    )
  }

/** A player sends no token: the signature in the address stands for it, for up to an hour. */
export const mediaRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'public')

    // Fastify answers HEAD by reading all that GET sends, which here would be the whole file.
    const options = { schema: { params: RecordingId, querystring: MediaQuery }, exposeHeadRoute: false }
    app.get('/recordings/media/:id', options, async (request, reply) => {
      const media = await findMedia(deps, uuidOr404(request.params.id, RECORDING_NOT_FOUND))
      if (!isOurLink(deps, media.id, media.host_id, request.query)) throw new AppError('not_found', RECORDING_NOT_FOUND) // a guessed address tells nobody which recordings there are
      if (isOverdue(deps, request.query) || !(await deps.sessions.isStillLive(request.query.session)))
        throw new AppError('not_allowed', 'This link is no longer good. Please reload the list of recordings.')

      const { range } = request.headers
      const copy = await openCopy(deps, media)
      if (copy) return sendCopy(reply, media, request.query.kind, copy, range)

      const leaving = new AbortController()
      reply.raw.on('close', () => leaving.abort())
      const answer = await deps.mediaSource.open(media, { range, signal: leaving.signal })
      return sendMedia(reply, media, request.query.kind, answer, range)
    })
  }
