import type { FastifyInstance, FastifyRequest, onRequestHookHandler, RouteOptions } from 'fastify'
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
    /** A poll, heartbeat or stream. It is no activity of an idle console, and is neither logged nor counted. */
    background?: boolean
  }
}

export type Access = SessionRole | 'public'

export interface SignedInMaster {
  session: Session
  master_id: string
}
export interface SignedInHost {
  session: Session
  host_id: string
}
/** `room_user_id` is null for the host's own phone. */
export interface SignedInPhone {
  session: Session
  host_id: string
  room_user_id: string | null
}

const KIB = 1024
/** Five times the largest bodies, such as a phone's 200 acknowledgements: parsing more blocks the event loop. */
const BODY_LIMITS = { public: 16 * KIB, phone: 64 * KIB }

/** Admits only these callers to the plugin's routes. Each group of routes calls it in its first line. */
export function allow(app: FastifyInstance, deps: Deps, ...access: Access[]): void {
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, access }
    if (access.includes('public')) route.bodyLimit ??= BODY_LIMITS.public
    else if (access.includes('phone')) route.bodyLimit ??= BODY_LIMITS.phone
    if (!access.includes('public')) addGuard(route, guard(deps, access, route.config.background === true))
  })
}

function addGuard(route: RouteOptions, check: onRequestHookHandler): void {
  const others = route.onRequest ?? []
  route.onRequest = [check, ...(Array.isArray(others) ? others : [others])]
}

/** Admits a background call with a cached session synchronously, because there is no query to wait for. */
function guard(deps: Deps, access: Access[], isBackground: boolean): onRequestHookHandler {
  return (request, _reply, done) => {
    const token = bearerToken(request.headers.authorization)
    const cached = token === null ? null : deps.sessions.findCached(token)
    if (cached && isBackground) {
      request.session = cached
      return done(refusal(cached, access))
    }
    admit(request, cached, token).then(done, done)
  }

  async function admit(request: FastifyRequest, cached: Session | null, token: string | null) {
    const session = cached ?? (token === null ? null : await deps.sessions.find(token))
    if (!session) return notSignedIn(token)
    const refused = refusal(session, access)
    if (refused) return refused
    request.session = session
    if (!isBackground) await deps.sessions.touch(session)
  }

  async function notSignedIn(token: string | null): Promise<AppError> {
    const reason = token === null ? null : await deps.sessions.findEnd(token)
    return new AppError('not_signed_in', 'Please sign in again.', reason ? { reason } : {})
  }
}

function refusal(session: Session, access: Access[]): AppError | undefined {
  if (!access.includes(session.role)) return new AppError('not_allowed', 'You are not allowed to do this.')
}

export function bearerToken(authorization = ''): string | null {
  if (authorization.startsWith('Bearer ')) return authorization.slice(7)
  const [scheme, token] = authorization.split(' ')
  return scheme?.toLowerCase() === 'bearer' && token ? token : null
}

/** Returns the account of the caller, over all its sessions. */
export const ofAccount = ({ session }: FastifyRequest) =>
  session?.master_id ?? session?.room_user_id ?? session?.host_id ?? ''

export const ofSession = ({ session }: FastifyRequest) => session?.id ?? ''

export function signedInMaster({ session }: FastifyRequest): SignedInMaster {
  if (session?.role !== 'master' || !session.master_id) throw new AppError('not_allowed', 'Masters only.')
  return { session, master_id: session.master_id }
}

export function signedInHost({ session }: FastifyRequest): SignedInHost {
  if (session?.role !== 'host' || !session.host_id) throw new AppError('not_allowed', 'Hosts only.')
  return { session, host_id: session.host_id }
}

export function signedInPhone({ session }: FastifyRequest): SignedInPhone {
  if (session?.role !== 'phone' || !session.host_id) throw new AppError('not_allowed', 'Phones only.')
  return { session, host_id: session.host_id, room_user_id: session.room_user_id }
}
