import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import type { Session } from './sessions.ts'
import type { SessionRole } from './tokens.ts'

declare module 'fastify' {
  interface FastifyRequest {
    session: Session | null
  }
  interface FastifyContextConfig {
    /** Who may call the route; set by `allow`, and the server refuses to start with a route that lacks it. */
    access?: readonly Access[]
    /** A call that no person caused (a poll, a heartbeat, a stream), which keeps no idle console signed in. */
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
/** A phone; `room_user_id` is null for the host's own. */
export interface SignedInPhone {
  session: Session
  host_id: string
  room_user_id: string | null
}

/** States who may call the routes that follow in this plugin: the first line of every routes file. */
export function allow(app: FastifyInstance, deps: Deps, ...access: Access[]): void {
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, access }
  })
  if (access.includes('public')) return

  app.addHook('onRequest', async (request) => {
    const session = await sessionOf(deps, request)
    if (!session) throw new AppError('not_signed_in', 'Please sign in again.')
    if (!access.includes(session.role)) throw new AppError('not_allowed', 'You are not allowed to do this.')
    request.session = session
    if (!request.routeOptions.config.background) await deps.sessions.touch(session)
  })
}

export async function sessionOf(deps: Deps, request: FastifyRequest): Promise<Session | null> {
  const [scheme, token] = (request.headers.authorization ?? '').split(' ')
  if (scheme?.toLowerCase() !== 'bearer' || !token) return null
  return deps.sessions.find(token)
}

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
