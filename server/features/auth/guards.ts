import type { FastifyInstance, FastifyRequest, onRequestHookHandler, RouteOptions } from 'fastify'
import { HOST_ROLES } from '../../../shared/auth.ts'
import type { Caller, HostActor, MasterActor, PhoneActor } from '../../db/actor.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import type { Session } from './session-rows.ts'
import type { SessionRole } from './tokens.ts'

declare module 'fastify' {
  interface FastifyRequest {
    session: Session | null
  }
  interface FastifyContextConfig {
    /** Set by `allow`. The server does not start with a route that lacks it. */
    access?: readonly Access[]
    /** A poll, heartbeat or stream: no use of an idle console, and neither logged nor counted. It may take a turn. */
    background?: boolean
  }
}

export type Access = SessionRole | 'public'

const KIB = 1024
/** Five times the largest bodies, such as a phone's 200 acknowledgements: parsing more blocks the event loop. */
const BODY_LIMITS = { public: 16 * KIB, phone: 64 * KIB }

/** The calls of an account that must have a second factor and has none: with these it adds one, or leaves. */
const WITHOUT_REQUIRED_FACTOR = /^\/api\/(account(\/.*)?|auth\/(verify|logout|host\/logout))$/

/** Tells if a route may refuse these callers because they must have a second factor first. */
export function asksRequiredFactor(url: string, access: readonly Access[]): boolean {
  return access.some((role) => role !== 'public' && role !== 'phone') && !WITHOUT_REQUIRED_FACTOR.test(url)
}

/** Admits only these callers to the plugin's routes. Each group of routes calls it in its first line. */
export function allow(app: FastifyInstance, deps: Deps, ...access: Access[]): void {
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, access }
    if (access.includes('public')) route.bodyLimit ??= BODY_LIMITS.public
    else if (access.includes('phone')) route.bodyLimit ??= BODY_LIMITS.phone
    if (!access.includes('public')) addGuard(route, guard(deps, access, route))
  })
}

function addGuard(route: RouteOptions, check: onRequestHookHandler): void {
  const others = route.onRequest ?? []
  route.onRequest = [check, ...(Array.isArray(others) ? others : [others])]
}

/** Admits a background call with a cached session synchronously, because there is no query to wait for. */
function guard(deps: Deps, access: Access[], { url, config }: RouteOptions): onRequestHookHandler {
  const isBackground = config?.background === true
  const mayLackFactor = WITHOUT_REQUIRED_FACTOR.test(url)
  return (request, _reply, done) => {
    const token = bearerToken(request.headers.authorization)
    const cached = token === null ? null : deps.sessions.findCached(token)
    if (cached && isBackground && (mayLackFactor || deps.requiredFactors.isMet(cached))) {
      request.session = cached
      return done(refusal(cached, access))
    }
    admit(request, cached, token).then(done, done)
  }

  async function admit(request: FastifyRequest, cached: Session | null, token: string | null) {
    const session = cached ?? (token === null ? null : await deps.sessions.find(token))
    if (!session) return sessionEnded(token, request.ip)
    const refused = refusal(session, access)
    if (refused) return refused
    if (!mayLackFactor && !(await deps.requiredFactors.check(session, isBackground))) return factorRequired()
    request.session = session
    if (!isBackground) await deps.sessions.touch(session)
  }

  async function sessionEnded(token: string | null, ip: string): Promise<AppError> {
    const reason = token === null ? null : await deps.sessions.findEnd(token, ip)
    return new AppError('not_signed_in', 'Please sign in again.', reason ? { reason } : {})
  }
}

function factorRequired(): AppError {
  return new AppError('second_factor_required', 'Your account must have a second factor. Please add one first.')
}

function refusal(session: Session, access: Access[]): AppError | undefined {
  if (!access.includes(session.role)) return roleNotAllowed()
}

export const roleNotAllowed = () => new AppError('not_allowed', 'You are not allowed to do this.')

export function bearerToken(authorization = ''): string | null {
  if (authorization.startsWith('Bearer ')) return authorization.slice(7)
  const [scheme, token] = authorization.split(' ')
  return scheme?.toLowerCase() === 'bearer' && token ? token : null
}

/** Names the account that acts, over all its sessions; nothing before the sign-in. */
export const actorKeyOf = ({ session }: FastifyRequest) => (session ? actorKey(session) : '')

/** Includes the role, because the host's own phone has the id of its host. */
export const actorKey = ({ role, actor_id }: Pick<Session, 'role' | 'actor_id'>) => `${role}:${actor_id}`

/** The host of a room and its assistants together have a share each of what may be done there, so that none of them stops the host. */
export function roomShareOf(request: FastifyRequest): string {
  const { host_id, role } = signedInHost(request)
  return role === 'host' ? host_id : `${host_id} assistants`
}

export const sessionIdOf = ({ session }: FastifyRequest) => session?.id ?? ''

/** Returns the caller of a public route. */
export function notSignedIn(request: FastifyRequest): Caller {
  return { role: 'nobody', id: null, host_id: null, ip: request.ip, session_id: null, user_agent: userAgentOf(request) }
}

/** Returns what the session list needs of it: the names of browser and system are in its first 200 characters. */
export const userAgentOf = ({ headers }: FastifyRequest) => headers['user-agent']?.slice(0, 200) ?? null

/** Returns the actor of a session, whatever its role. Managers and moderators act as assistants. */
export function actorOfSession({ id, role, actor_id, host_id }: Session, ip: string) {
  const by = { id: actor_id, host_id, ip, session_id: id }
  return role === 'manager' || role === 'moderator'
    ? { ...by, role: 'assistant' as const, acts_as: role }
    : { ...by, role }
}

export type SignedIn = ReturnType<typeof actorOfSession>

export function signedInMaster({ session, ip }: FastifyRequest): MasterActor {
  if (session?.role !== 'master') throw new AppError('not_allowed', 'Masters only.')
  return { ...actorOfSession(session, ip), role: session.role }
}

/** Returns the host or the assistant who acts for it. Which of them may, the route's `allow` has decided. */
export function signedInHost({ session, ip }: FastifyRequest): HostActor {
  const acts_as = HOST_ROLES.find((role) => role === session?.role)
  if (!session?.host_id || !acts_as) throw new AppError('not_allowed', 'Hosts only.')
  const role = acts_as === 'host' ? acts_as : 'assistant'
  return { ...actorOfSession(session, ip), role, acts_as, host_id: session.host_id }
}

export function signedInPhone({ session, ip }: FastifyRequest): PhoneActor {
  if (session?.role !== 'phone' || !session.host_id) throw new AppError('not_allowed', 'Phones only.')
  const { role, host_id, room_user_id } = session
  return { ...actorOfSession(session, ip), role, host_id, room_user_id }
}
