import type { FastifyInstance, preHandlerAsyncHookHandler } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { HOST_ROLES, type HostRole } from '../../../shared/auth.ts'
import { type AttendeeAction, MODERATOR_ATTENDEE_ACTIONS } from '../../../shared/seat.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { noopBus } from '../../lib/bus.ts'
import { TokenBuckets } from '../../lib/token-bucket.ts'
import { uuidOr404 } from '../../lib/uuid.ts'
import { allow, roleNotAllowed, roomShareOf, signedInHost } from '../auth/guards.ts'
import * as api from './api.ts'
import { actOnAttendee, admitAll, askAllToUnmute } from './attendee-actions.ts'
import { forgetAttendeeName, listAttendeeNames } from './attendee-names.ts'
import { GuardAudit } from './guard-audit.ts'
import { linkAttendee } from './link-attendee.ts'
import { endSeatOfSession, releaseSeat, reportSeat, takeSeat } from './seat.ts'
import { SeatTrace } from './seat-trace.ts'

const TAKES = {
  rateLimit: { max: 6 },
  tooMany: "The host's seat was taken many times just now. Please wait a moment and try again.",
}

/** The limit of one console, at each server. */
const REPORTS = {
  name: 'seat reports',
  burst: 10,
  perSecond: 5,
  message: 'The seat reports too often. Please wait a moment and try again.',
}

/** More than a part of 300 attendees with long names. */
const REPORT_BYTES = 128 * 1024

/** A console reads the list when it opens, and after a gap of its stream. */
const LISTS = { background: true, turns: 'none' as const, rateLimit: { max: 240 }, isCountedAlone: true }

/** Answers 404 where the seat is off. */
function requireSeatOn(app: FastifyInstance, { config }: Deps): void {
  app.addHook('onRequest', async () => {
    if (!config.HOST_SEAT) throw new AppError('not_found', 'There is nothing here.')
  })
}

export const seatRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'host')
    requireSeatOn(app, deps)
    const reports = new TokenBuckets({ now: deps.now, bus: noopBus }, REPORTS)
    const guardAudit = new GuardAudit(deps)
    const trace = new SeatTrace(deps)
    deps.sessions.onEnd((session) => {
      endSeatOfSession(deps, session).catch((err: unknown) => {
        deps.log.warn({ host_id: session.host_id, err }, 'seat.end_failed') // its lease ends by itself
      })
    })

    app.post(
      '/host/seat',
      { schema: api.takeSeat, config: { ...TAKES, isNeverReplayed: true, turns: 'zoom' } },
      async (request) => ({
        success: true as const,
        data: await takeSeat({ ...deps, trace }, signedInHost(request), request.body),
      }),
    )

    app.put(
      '/host/seat',
      {
        schema: api.reportSeat,
        bodyLimit: REPORT_BYTES,
        config: { background: true, turns: 'none' },
        preHandler: async (request) => reports.take(signedInHost(request).session_id),
      },
      async (request) => ({
        success: true as const,
        data: await reportSeat({ ...deps, guardAudit, trace }, signedInHost(request), request.body),
      }),
    )

    app.delete('/host/seat', { schema: api.releaseSeat }, async (request) => {
      await releaseSeat({ ...deps, trace }, signedInHost(request), request.body)
      return { success: true as const, message: 'Seat released' }
    })
  }

const LINKS = { rateLimit: { max: 60 } }

/** The limit of a host, and of all its assistants together. Permits fast clicks, a few of them at once. */
const ACTS = {
  name: 'acts on attendees',
  burst: 20,
  perSecond: 10,
  message: 'Too many requests. Please wait a moment and try again.',
}

export const attendeeRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    const acts = new TokenBuckets(deps, ACTS)
    const limit: preHandlerAsyncHookHandler = async (request) => acts.take(roomShareOf(request))
    await app.register(watchedAttendeeRoutes(deps, limit))
    await app.register(managedAttendeeRoutes(deps, limit))
  }

/** Assistants of every role see the attendees, and act on them as their role permits. */
const watchedAttendeeRoutes =
  (deps: Deps, limit: preHandlerAsyncHookHandler): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, ...HOST_ROLES)
    requireSeatOn(app, deps)

    app.get('/host/attendees', { schema: api.listAttendees, config: LISTS }, async (request) => {
      const room = await deps.rooms.get(signedInHost(request).host_id)
      return { success: true as const, data: room.seat.list }
    })

    app.post(
      '/host/attendees/:key/:action',
      {
        schema: api.actOnAttendee,
        preHandler: limit,
        preValidation: async (request) => {
          if (!mayAct(signedInHost(request).acts_as, request.params.action)) throw roleNotAllowed()
        },
      },
      async (request, reply) => {
        const { key, action } = request.params
        const data = await actOnAttendee(deps, signedInHost(request), key, action)
        return reply.code(202).send({ success: true as const, data })
      },
    )
  }

const managedAttendeeRoutes =
  (deps: Deps, limit: preHandlerAsyncHookHandler): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'host', 'manager')
    requireSeatOn(app, deps)

    app.put('/host/attendees/:key/user', { schema: api.linkAttendee, config: LINKS }, async (request) => {
      await linkAttendee(deps, signedInHost(request), request.params.key, request.body)
      return { success: true as const, message: 'Saved' }
    })

    app.get(
      '/host/users/:id/zoom-names',
      { schema: api.listAttendeeNames, exposeHeadRoute: false },
      async (request) => {
        const id = uuidOr404(request.params.id, 'User not found')
        return { success: true as const, data: { names: await listAttendeeNames(deps, signedInHost(request), id) } }
      },
    )

    app.delete('/host/users/:id/zoom-names', { schema: api.forgetAttendeeName, config: LINKS }, async (request) => {
      const id = uuidOr404(request.params.id, 'User not found')
      await forgetAttendeeName(deps, signedInHost(request), { id, ...request.body })
      return { success: true as const, message: 'Forgotten' }
    })

    app.post('/host/attendees/admit-all', { schema: api.admitAll, preHandler: limit }, async (request, reply) => {
      const data = await admitAll(deps, signedInHost(request))
      return reply.code(202).send({ success: true as const, data })
    })

    app.post(
      '/host/attendees/ask-unmute-all',
      { schema: api.askAllToUnmute, preHandler: limit },
      async (request, reply) => {
        const data = await askAllToUnmute(deps, signedInHost(request))
        return reply.code(202).send({ success: true as const, data })
      },
    )
  }

const mayAct = (role: HostRole, action: AttendeeAction) =>
  role !== 'moderator' || MODERATOR_ATTENDEE_ACTIONS.includes(action)
