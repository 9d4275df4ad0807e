import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { noopBus } from '../../lib/bus.ts'
import { KeyedSlots } from '../../lib/keyed-slots.ts'
import { TokenBuckets } from '../../lib/token-bucket.ts'
import { TurnQueue } from '../../lib/turn-queue.ts'
import { uuidOr404 } from '../../lib/uuid.ts'
import { tooManyAtOnce } from '../auth/anonymous-query-queue.ts'
import { actorKeyOf, allow, signedInHost, signedInPhone } from '../auth/guards.ts'
import { requireSubscriptionToCome } from '../subscriptions/require-subscription.ts'
import * as api from './api.ts'
import { openCopy } from './archive/archive-file.ts'
import { findMedia } from './media.ts'
import { hostOfLink, isLinkExpired, type SignedLink } from './media-links.ts'
import { OpenStreams } from './open-streams.ts'
import { parseMeetingId } from './parse-meeting-id.ts'
import { RECORDING_NOT_FOUND } from './recording-index.ts'
import { readRecordingSpeakers } from './recording-speakers.ts'
import { findRecordings } from './recordings.ts'
import { sendCopy, sendMedia } from './send-media.ts'
import { findSharedRecordings, isShared, NO_LONGER_SHARED, shareRecording } from './shared-recordings.ts'
import * as transcriptApi from './transcripts/api.ts'
import { findTranscript, searchTranscripts } from './transcripts/transcripts.ts'
import { recoverRecordings, trashCopy, trashRecordings } from './trash.ts'

const FetchLive = z.object({ fetch_live: z.boolean() })

const isLive = ({ query }: FastifyRequest) => FetchLive.parse(query).fetch_live

/** A live list may take a dozen Zoom calls, of which an account has a limited number per day. */
const LIST_LIMIT = {
  rateLimit: {
    max: 120,
    keyGenerator: (request: FastifyRequest) => `${isLive(request) ? 'live' : 'stored'} ${actorKeyOf(request)}`,
  },
  turns: (request: FastifyRequest) => (isLive(request) ? ('zoom' as const) : ('database' as const)),
}

export const recordingRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'host', 'manager')

    app.get('/recordings', { schema: api.listRecordings, config: LIST_LIMIT }, async (request) => {
      const host = signedInHost(request)
      return { success: true as const, data: await findRecordings(deps, host, request.query) }
    })

    app.get(
      '/host/recordings/:id/speakers',
      { schema: api.getRecordingSpeakers, config: { rateLimit: { max: 120 } } },
      async (request) => {
        const id = uuidOr404(request.params.id, RECORDING_NOT_FOUND)
        return { success: true as const, data: await readRecordingSpeakers(deps, signedInHost(request), id) }
      },
    )

    app.get(
      '/host/recordings/search',
      { schema: transcriptApi.searchRecordings, config: { rateLimit: { max: 120 } } },
      async (request) => {
        const data = await searchTranscripts(deps, signedInHost(request), request.query)
        return { success: true as const, data }
      },
    )

    app.get(
      '/host/recordings/:id/transcript',
      { schema: transcriptApi.getTranscript, config: { rateLimit: { max: 120 } } },
      async (request) => {
        const id = uuidOr404(request.params.id, RECORDING_NOT_FOUND)
        return { success: true as const, data: await findTranscript(deps, signedInHost(request), id) }
      },
    )

    app.put(
      '/host/recordings/:id/sharing',
      { schema: api.shareRecording, config: { rateLimit: { max: 60 } } },
      async (request) => {
        const id = uuidOr404(request.params.id, RECORDING_NOT_FOUND)
        const shared_until = await shareRecording(deps, signedInHost(request), id, request.body.days)
        return { success: true as const, data: { shared_until: shared_until?.toISOString() ?? null } }
      },
    )

    app.delete(
      '/recordings/meetings/:meetingIdOrUuid/recordings',
      { schema: api.deleteMeetingRecordings, config: { actsAtZoom: true } },
      async (request) => {
        const meeting = parseMeetingId(request.params.meetingIdOrUuid)
        await trashRecordings(deps, signedInHost(request), meeting)
        return { success: true as const, message: 'Moved to Trash' }
      },
    )

    app.delete(
      '/host/recordings/:id',
      { schema: api.deleteArchivedRecording, config: { actsAtZoom: true } },
      async (request) => {
        const id = uuidOr404(request.params.id, RECORDING_NOT_FOUND)
        await trashCopy(deps, signedInHost(request), id)
        return { success: true as const, message: 'Moved to Trash' }
      },
    )

    app.post(
      '/recordings/meetings/:meetingIdOrUuid/recover',
      { schema: api.recoverMeetingRecordings, config: { actsAtZoom: true } },
      async (request) => {
        const meeting = parseMeetingId(request.params.meetingIdOrUuid)
        await recoverRecordings(deps, signedInHost(request), meeting)
        return { success: true as const, message: 'Taken out of the trash' }
      },
    )
  }

export const phoneRecordingRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'phone')

    app.get(
      '/mobile/recordings',
      { schema: api.listSharedRecordings, config: { rateLimit: { max: 30 } } },
      async (request) => {
        const phone = signedInPhone(request)
        await requireSubscriptionToCome(deps, phone.host_id, phone.id)
        const recordings = await findSharedRecordings(deps, phone)
        return { success: true as const, data: { recordings } }
      },
    )
  }

/** The limits per host: a player asks for many parts of a file, and needs a moment of the database for each. */
const LOOK_UPS = { concurrency: 2, maxWaiting: 500, full: tooManyAtOnce }

/** The limits of all phones, of which each waits behind its own calls. */
const LOOK_UPS_OF_PHONES = { concurrency: 4, maxWaiting: 2_000, full: tooManyAtOnce }
/** The limit per session: a player asks for a part every few seconds at most, and for several when it seeks. */
const PARTS_OF_PHONE = {
  name: 'parts of recordings',
  burst: 60,
  perSecond: 1,
  message: 'Too many requests. Please wait a moment and try again.',
}
/** More than a player and a handful of downloads. */
const STREAMS_OF_HOST = 20
/** The one that plays, and the one before it. */
const STREAMS_OF_PHONE = 2
/** A phone reads in bursts, and returns for the next part where its stream has ended in between. */
const STREAMS_OF_ROOM = 200

/** The signature in the URL replaces the token, which a player does not send, for up to an hour. */
export const mediaRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'public')

    const lookUps = new KeyedSlots()
    const phonesLookUps = new TurnQueue(['phones'], LOOK_UPS_OF_PHONES)
    const parts = new TokenBuckets({ now: deps.now, bus: noopBus }, PARTS_OF_PHONE)
    const streams = new OpenStreams()
    // Fastify would answer HEAD by reading everything that GET sends: the whole file.
    const options = { exposeHeadRoute: false }
    app.get('/recordings/media/:id', { ...options, schema: api.readMedia }, (request, reply) =>
      send(request, request.params.id, request.query, reply),
    )
    app.get('/mobile/recordings/media/:id', { ...options, schema: api.readSharedMedia }, (request, reply) =>
      send(request, request.params.id, request.query, reply),
    )

    const findForHost = (id: string, hostId: string, { session }: SignedLink) =>
      lookUps.run(hostId, LOOK_UPS, async () => {
        if (!(await deps.sessions.findById(session))) throw linkExpired()
        return findMedia(deps, id)
      })

    function findForPhone(id: string, hostId: string, { session }: SignedLink) {
      parts.take(session)
      return phonesLookUps.run('phones', [hostId, session], async () => {
        const phone = await deps.sessions.findById(session)
        if (!phone) throw linkExpired()
        await requireSubscriptionToCome(deps, hostId, phone.actor_id)
        const media = await findMedia(deps, id)
        if (!isShared(deps, media)) throw new AppError('not_found', NO_LONGER_SHARED)
        return media
      })
    }

    async function send(request: FastifyRequest, given: string, query: SignedLink, reply: FastifyReply) {
      const id = uuidOr404(given, RECORDING_NOT_FOUND)
      // An unknown id gets the same answer, so that a guessed URL does not reveal which recordings exist.
      const hostId = hostOfLink(deps, id, query)
      if (hostId === null) throw new AppError('not_found', RECORDING_NOT_FOUND)
      if (isLinkExpired(deps, query)) throw linkExpired()
      // An answer behind another one on its connection would not be closed with it. No player or proxy sends such calls.
      if (!reply.raw.socket) throw tooManyAtOnce()
      const media = await (query.kind === 'listen' ? findForPhone(id, hostId, query) : findForHost(id, hostId, query))
      streams.add(
        query.kind === 'listen'
          ? [
              { key: query.session, max: STREAMS_OF_PHONE },
              { key: `${hostId} phones`, max: STREAMS_OF_ROOM },
            ]
          : [{ key: hostId, max: STREAMS_OF_HOST }],
        reply.raw,
      )
      const { range } = request.headers
      const copy = await openCopy(deps, media)
      if (copy) return sendCopy(reply, media, query.kind, copy, range)

      const leaving = new AbortController()
      reply.raw.on('close', () => leaving.abort())
      const answer = await deps.mediaSource.open(media, { range, signal: leaving.signal })
      return sendMedia(reply, media, query.kind, answer, range)
    }
  }

function linkExpired(): AppError {
  return new AppError('not_allowed', 'This link has expired. Please reload the list of recordings.')
}
