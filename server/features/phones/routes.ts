import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { MINUTE_MS } from '../../../shared/dates.ts'
import { Done } from '../../../shared/envelope.ts'
import { anita, host, liveState, PASSWORD, phone, TOKEN } from '../../../shared/examples.ts'
import {
  MobileLogin,
  MobileLoginAnswer,
  MobileMeAnswer,
  MobileStatus,
  MobileStatusAnswer,
  RoomBrandingAnswer,
  RoomSummaryAnswer,
} from '../../../shared/mobile.ts'
import type { Deps } from '../../deps.ts'
import { AppError, notFound } from '../../errors.ts'
import { addressGroup, siteNetwork } from '../../lib/address-group.ts'
import { silentBus } from '../../lib/bus.ts'
import { FailureLimit } from '../../lib/failure-limit.ts'
import { TokenBuckets } from '../../lib/token-bucket.ts'
import { withExample } from '../../lib/with-example.ts'
import { allow, signedInPhone } from '../auth/guards.ts'
import { logOut } from '../auth/log-out.ts'
import { requireSubscriptionToCome } from '../subscriptions/require-subscription.ts'
import { findBranding } from './branding.ts'
import { REFUSALS, signInPhone } from './phone-login.ts'
import { phoneView } from './phone-view.ts'

const tags = ['Phones']

const RoomParams = z.object({ host_id: z.string().max(32).describe('The Host ID, in any case.') })

/** The limit per IP address: a hall of people may open the link at once, and nobody needs to try all Host IDs. */
const BRANDING_VIEWS = {
  name: 'branding views',
  burst: 60,
  perSecond: 1,
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

export const phoneLoginRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'public')
    const refusals = new TokenBuckets(deps, REFUSALS)

    const views = new TokenBuckets(deps, BRANDING_VIEWS)
    const unknownRooms = new FailureLimit(deps, UNKNOWN_ROOMS)

    app.get(
      '/mobile/rooms/:host_id',
      {
        schema: {
          tags,
          operationId: 'getRoomBranding',
          summary: 'Get what a phone shows of a room before its user signs in',
          description:
            'Its name and logo, by the Host ID, which a link or a QR code of the host carries. A host can hide them, and the ' +
            'answer is then as for a room that does not exist. One address may ask sixty times at once, and once a second ' +
            'after that; one network may ask for ten unknown rooms a minute.',
          params: withExample(RoomParams, { host_id: host.user_id }),
          response: {
            200: withExample(RoomBrandingAnswer, {
              success: true,
              data: {
                host_id: host.user_id,
                room_name: host.room_name,
                user_title: phone.app.user_title,
                logo_url: phone.app.logo_url,
              },
            }),
          },
          failures: ['not_found', 'too_many'],
        },
        config: { background: true },
      },
      async ({ params, ip }) => {
        views.take(addressGroup(ip))
        const find = () => findBranding(deps, params.host_id)
        const branding = await unknownRooms.run(siteNetwork(ip), find, (found) => found === null)
        if (!branding) throw notFound('Room')
        return { success: true as const, data: branding }
      },
    )

    app.post(
      '/mobile/login',
      {
        schema: {
          tags,
          operationId: 'loginPhone',
          summary: 'Sign a phone in',
          description:
            'The first login binds the account to `device_id`; another phone is refused until the host switches it. A new ' +
            'login from the bound phone ends the older session. An app that keeps secrets sends `device_secret` with every ' +
            'login, null while it has none, and stores the one in an answer before it uses the session; if an answer has ' +
            'none, the stored one stays valid. Once a phone has used such a session or has sent the secret, a login with ' +
            'its `device_id` but without the secret counts as another phone. An app that leaves the field out is ' +
            'recognised by its `device_id` alone. A host signs in with its own host id as `username` and the password ' +
            'of App Info. The reason for a refusal is given only after the right password.',
          body: withExample(MobileLogin, {
            host_id: host.user_id,
            username: phone.user.username,
            password: PASSWORD,
            device_id: '60303ae22b998861',
            device_secret: null,
            device_model: 'Galaxy A16',
            platform: 'android',
            app_version: '1.4.0',
          }),
          response: {
            200: withExample(MobileLoginAnswer, {
              success: true,
              data: { token: TOKEN, device_secret: 'mUq0c9n5Jx2w8bT1rYk4ZfVhD7sLgE3aPoQiN6tCeRM', ...phone },
            }),
          },
          failures: [
            'wrong_credentials',
            'subscription_cancelled',
            'subscription_inactive',
            'room_stopped',
            'user_inactive',
            'device_mismatch',
            'too_many',
            'busy',
          ],
        },
      },
      async ({ body, ip }) => {
        const { token, device_secret, ...owner } = await signInPhone(deps, refusals, body, ip)
        const view = await phoneView(deps, owner)
        return { success: true as const, data: { token, ...(device_secret && { device_secret }), ...view } }
      },
    )
  }

export const phoneRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'phone')
    const views = new TokenBuckets({ now: deps.now, bus: silentBus }, ROOM_VIEWS)
    const logged = new TokenBuckets({ now: deps.now, bus: silentBus }, REFUSALS_LOGGED)
    const leaves = new TokenBuckets({ now: deps.now, bus: silentBus }, LEAVES)

    function logRefusal(host_id: string, user_id: string, zoom_code: number) {
      if (!logged.has(host_id)) return
      logged.take(host_id)
      deps.log.warn({ host_id, user_id, zoom_code }, 'phone.zoom_refused')
    }

    function mayLeave(id: string): boolean {
      if (!leaves.has(id)) return false
      leaves.take(id)
      return true
    }

    app.post(
      '/mobile/logout',
      {
        schema: {
          tags,
          operationId: 'logoutPhone',
          summary: 'Sign this phone out',
          response: { 200: withExample(Done, { success: true, message: 'Logged out successfully' }) },
        },
      },
      async (request) => {
        const { session, host_id, room_user_id } = signedInPhone(request)
        const room = await deps.rooms.of(host_id)
        await logOut(deps, session, request.ip)
        await room.leave(room_user_id ?? host_id)
        return { success: true as const, message: 'Logged out successfully' }
      },
    )

    app.get(
      '/mobile/me',
      {
        schema: {
          tags,
          operationId: 'getPhone',
          summary: "Get this phone's user, room and live state",
          response: { 200: withExample(MobileMeAnswer, { success: true, data: { ...phone, state: liveState } }) },
          failures: ['not_found'],
        },
        config: { rateLimit: { max: 60 } },
      },
      async (request) => {
        const { host_id, room_user_id } = signedInPhone(request)
        const id = room_user_id ?? host_id
        const state = (await deps.rooms.of(host_id)).stateOf(id) ?? (await deps.rooms.upToDate(host_id)).stateOf(id)
        if (!state) throw new AppError('not_found', 'User not found')
        const view = await phoneView(deps, { host_id, room_user_id })
        return { success: true as const, data: { ...view, state } }
      },
    )

    app.get(
      '/mobile/room',
      {
        schema: {
          tags,
          operationId: 'getRoomSummary',
          summary: 'Get how many are here, who speaks and how many wait',
          description:
            "`online` counts the phones that are online, the host's own too. `speaking` are the first ten who speak, the " +
            'longest first. `queue_place` is the own place among those who asked to speak: 1 is next. For a poll every ten ' +
            'seconds; it is no sign of life, which the status call is. A session may ask thirty times at once, and once a ' +
            'second after that.',
          response: {
            200: withExample(RoomSummaryAnswer, {
              success: true,
              data: { online: 2, speaking: [{ id: anita.id, username: anita.username }], waiting: 3, queue_place: 2 },
            }),
          },
          failures: ['not_found', 'too_many'],
        },
        exposeHeadRoute: false,
        config: { background: true },
      },
      async (request) => {
        const { session, host_id, room_user_id } = signedInPhone(request)
        views.take(session.id)
        const id = room_user_id ?? host_id
        const data =
          (await deps.rooms.of(host_id)).summaryFor(id) ?? (await deps.rooms.upToDate(host_id)).summaryFor(id)
        if (!data) throw new AppError('not_found', 'User not found')
        return { success: true as const, data }
      },
    )

    app.post(
      '/mobile/status',
      {
        schema: {
          tags,
          operationId: 'sendStatus',
          summary: "Report this phone's state and get the current one",
          description:
            'Without a body it is the heartbeat. A phone sends one at least every 10 s, is shown as not answering after ' +
            '15 s of silence, and is offline after 30 s; an open stream alone does not keep it online. `awake: false` ' +
            'means that its page is in the background and may stop sending; a call without it says that it is not. ' +
            '`left: true` means that the user has left the room: the phone is offline at once, stays signed in, and comes ' +
            'back with its next call; ten times at once, then every six seconds, and beyond that it counts as ' +
            '`awake: false`. `rejoined: true` belongs into the first call after the answer to `left`: the phone comes back also ' +
            'at a server that has not heard yet that it left. A phone that comes online while the ' +
            'subscription is not active is refused; one that is online stays until it leaves. A muted phone stays silent ' +
            'whatever it sends, but may ask to speak. Beyond twenty changes a second, the last one is published a moment ' +
            'later. `muted_again` means that the user opened the microphone in Zoom while muted, and that the app has closed ' +
            'it: consoles are notified, of one user at most every two seconds. `zoom_code` is the code with which Zoom refused the ' +
            'phone, or null: consoles show it, and the log has it. `declined` is the user’s “Not now” to a host who asks to speak. ' +
            '`acks` are the ids of the commands that the phone has carried out. `asked_to_speak` in the answer means that ' +
            'the host has asked and waits for an answer.',
          body: withExample(MobileStatus, { wants_to_speak: true, acks: ['7f-13'] }),
          response: { 200: withExample(MobileStatusAnswer, { success: true, data: liveState }) },
          failures: ['not_found', 'subscription_cancelled', 'subscription_inactive'],
        },
        serializerCompiler: () => JSON.stringify, // six booleans of our own: validation costs more than the call
        config: { background: true },
      },
      async (request) => {
        const { host_id, room_user_id } = signedInPhone(request)
        const id = room_user_id ?? host_id
        const room = await deps.rooms.ofPhone(host_id, request.body?.acks)
        const body = request.body?.left && !mayLeave(id) ? { ...request.body, left: false, awake: false } : request.body
        if (!room.isOnline(id) && !body?.left) await requireSubscriptionToCome(deps, host_id, id)
        const { zoom_code = null } = body ?? {}
        if (zoom_code !== null && zoom_code !== room.user(id)?.zoom_code) logRefusal(host_id, id, zoom_code)
        const data = await room.status(id, body)
        if (!data) throw new AppError('not_found', 'User not found')
        return { success: true as const, data }
      },
    )
  }
