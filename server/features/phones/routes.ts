import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { MINUTE_MS } from '../../../shared/dates.ts'
import type { Deps } from '../../deps.ts'
import { AppError, notFound } from '../../errors.ts'
import { addressGroup, siteNetwork } from '../../lib/address-group.ts'
import { noopBus } from '../../lib/bus.ts'
import { FailureLimit } from '../../lib/failure-limit.ts'
import { TokenBuckets } from '../../lib/token-bucket.ts'
import { allow, notSignedIn, signedInPhone } from '../auth/guards.ts'
import { logOut } from '../auth/log-out.ts'
import { NextMeetings } from '../planned-meetings/next-meetings.ts'
import { requireSubscriptionToCome } from '../subscriptions/require-subscription.ts'
import * as api from './api.ts'
import { findBranding } from './branding.ts'
import { createJoinTicket } from './join-ticket.ts'
import { loginPhone, REFUSED_LOGIN_LIMIT } from './phone-login.ts'
import { phoneView } from './phone-view.ts'

/**
 * The limit per IP address: a hall of people may open the link at once, and nobody needs to try all Host IDs. It is full
 * again within a minute: a limit that lasts longer is told in the stream that has to keep the wrong passwords.
 */
const BRANDING_VIEWS = {
  name: 'branding views',
  burst: 500,
  perSecond: 10,
  message: 'Too many requests. Please wait a moment and try again.',
}

/** The limit per network: whoever guesses Host IDs gets no more answers, so that none reveals if a room exists. */
const UNKNOWN_ROOMS = { ...BRANDING_VIEWS, name: 'unknown rooms', max: 10, windowMs: MINUTE_MS }

/** The limit per session, at each server separately: all phones poll, so sharing it would cost much traffic. */
const ROOM_VIEWS = {
  name: 'room views',
  burst: 30,
  perSecond: 1,
  message: 'Too many requests. Please wait a moment and try again.',
}

/** The limit per phone: each leave is sent to all consoles and ends a stay. Beyond it, silence ends the presence. */
const LEAVES = { name: 'leaves', burst: 10, perSecond: 1 / 6, message: '' }

/** The limit per host, so that neither a crowd nor one phone fills the log. */
const REFUSALS_LOGGED = { name: 'refusals logged', burst: 20, perSecond: 0.1, message: '' }

/** Most tickets cost a Zoom call. Permits a phone to wait for the host, or to reconnect again and again. */
const JOIN_LIMIT = {
  rateLimit: { max: 12 },
  turns: 'zoom' as const,
  isNeverReplayed: true, // the ticket of the host's own phone can start the meeting
  tooMany: 'Too many attempts to join. Please wait a moment and try again.',
}

export const phoneLoginRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'public')
    const refusals = new TokenBuckets(deps, REFUSED_LOGIN_LIMIT)

    const views = new TokenBuckets(deps, BRANDING_VIEWS)
    const unknownRooms = new FailureLimit(deps, UNKNOWN_ROOMS)

    app.get(
      '/mobile/rooms/:host_id',
      { schema: api.getRoomBranding, config: { background: true } },
      async ({ params, ip }) => {
        views.take(addressGroup(ip))
        const find = () => deps.strangers.run(ip, () => findBranding(deps, params.host_id))
        const branding = await unknownRooms.run(siteNetwork(ip), find, (found) => found === null)
        if (!branding) throw notFound('Room')
        return { success: true as const, data: branding }
      },
    )

    app.post('/mobile/login', { schema: api.loginPhone }, async (request) => {
      const by = notSignedIn(request)
      const { token, device_secret, ...owner } = await deps.metrics.signIn('phone', () =>
        loginPhone(deps, by, request.body, refusals),
      )
      const view = await phoneView(deps, owner)
      return { success: true as const, data: { token, ...(device_secret && { device_secret }), ...view } }
    })
  }

export const phoneRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'phone')
    const nextMeetings = new NextMeetings(deps)
    const views = new TokenBuckets({ now: deps.now, bus: noopBus }, ROOM_VIEWS)
    const logged = new TokenBuckets({ now: deps.now, bus: noopBus }, REFUSALS_LOGGED)
    const leaves = new TokenBuckets({ now: deps.now, bus: noopBus }, LEAVES)

    function logRefusal(host_id: string, user: { id: string; platform: string | null }, zoom_code: number) {
      if (!logged.has(host_id)) return
      logged.take(host_id)
      const { id: user_id, platform } = user
      deps.zoomTrace.note({ kind: 'phone-refused', zoom_code, platform })
      deps.log.warn({ host_id, user_id, zoom_code }, 'phone.zoom_refused')
    }

    function mayLeave(id: string): boolean {
      if (!leaves.has(id)) return false
      leaves.take(id)
      return true
    }

    app.post('/mobile/logout', { schema: api.logoutPhone }, async (request) => {
      const by = signedInPhone(request)
      const room = await deps.rooms.get(by.host_id)
      await logOut(deps, by)
      await room.commands.leave(by.id)
      return { success: true as const, message: 'Logged out successfully' }
    })

    app.get('/mobile/me', { schema: api.getPhone, config: { rateLimit: { max: 60 } } }, async (request) => {
      const { id, host_id, room_user_id } = signedInPhone(request)
      const state = (await deps.rooms.get(host_id)).stateOf(id) ?? (await deps.rooms.getFresh(host_id)).stateOf(id)
      if (!state) throw new AppError('not_found', 'User not found')
      const view = await phoneView(deps, { host_id, room_user_id })
      return { success: true as const, data: { ...view, state } }
    })

    app.get(
      '/mobile/room',
      { schema: api.getRoomSummary, exposeHeadRoute: false, config: { background: true, turns: 'none' } },
      async (request) => {
        const { id, host_id, session_id } = signedInPhone(request)
        views.take(session_id)
        const data =
          (await deps.rooms.get(host_id)).summaryFor(id) ?? (await deps.rooms.getFresh(host_id)).summaryFor(id)
        if (!data) throw new AppError('not_found', 'User not found')
        const next_meeting = await nextMeetings.of(host_id)
        return { success: true as const, data: next_meeting ? { ...data, next_meeting } : data }
      },
    )

    app.post(
      '/mobile/status',
      {
        schema: api.sendStatus,
        serializerCompiler: () => JSON.stringify, // six booleans of our own: validation costs more than the call
        config: { background: true, turns: 'none' },
      },
      async (request) => {
        const { id, host_id } = signedInPhone(request)
        const room = await deps.rooms.getForPhone(host_id, request.body?.acks)
        const body = request.body?.left && !mayLeave(id) ? { ...request.body, left: false, awake: false } : request.body
        if (!room.isOnline(id) && !body?.left) await requireSubscriptionToCome(deps, host_id, id)
        const { zoom_code = null } = body ?? {}
        const user = zoom_code === null ? null : room.user(id)
        if (zoom_code !== null && zoom_code !== user?.zoom_code)
          logRefusal(host_id, { id, platform: user?.platform ?? null }, zoom_code)
        const data = await room.commands.applyStatusCall(id, body)
        if (!data) throw new AppError('not_found', 'User not found')
        return { success: true as const, data }
      },
    )

    app.post('/mobile/join-ticket', { schema: api.getJoinTicket, config: JOIN_LIMIT }, async (request) => {
      const { id, host_id, room_user_id, session_id } = signedInPhone(request)
      await requireSubscriptionToCome(deps, host_id, id)
      const data = await traced(deps, room_user_id, () => createJoinTicket(deps, { host_id, room_user_id }))
      if (!(await deps.sessions.findById(session_id))) throw new AppError('not_signed_in', 'Please sign in again.') // ended in between
      return { success: true as const, data }
    })
  }

/** Notes the ticket, or the code with which it was refused, for the field report. */
async function traced<T>(deps: Deps, room_user_id: string | null, create: () => Promise<T>): Promise<T> {
  const startedAt = performance.now()
  const role = room_user_id === null ? 'host' : 'guest'
  const note = (refusal: string | null) =>
    deps.zoomTrace.note({ kind: 'ticket', role, ms: Math.round(performance.now() - startedAt), refusal })
  try {
    const ticket = await create()
    note(null)
    return ticket
  } catch (error) {
    note(error instanceof AppError ? error.code : 'internal')
    throw error
  }
}
