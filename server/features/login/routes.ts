import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { HOST_ROLES, type SessionUser } from '../../../shared/auth.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { assistantUser, findAssistant } from '../assistants/find-assistant.ts'
import { actorOfSession, allow, bearerToken, notSignedIn, userAgentOf } from '../auth/guards.ts'
import { logOut } from '../auth/log-out.ts'
import { findMaster } from '../auth/masters.ts'
import type { Session } from '../auth/session-rows.ts'
import { findHost } from '../hosts/hosts.ts'
import { rpIdOf } from '../second-factor/rp-id.ts'
import * as api from './api.ts'
import { claimSession, requireHandOver } from './claim-session.ts'
import { loginHost } from './host-login.ts'
import { loginMaster } from './master-login.ts'
import { completeSignIn } from './second-step.ts'

export const loginRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'public')

    app.post('/auth/host/login', { schema: api.loginHost }, async (request) => {
      const by = notSignedIn(request)
      const data = await deps.metrics.signIn(
        'host',
        () => loginHost(deps, by, request.body, rpIdOf(request)),
        ({ user }) => roleOf(user),
      )
      return { success: true as const, message: 'Login successful!', data }
    })

    app.post('/auth/master-login', { schema: api.loginMaster }, async (request) => {
      const by = notSignedIn(request)
      const signedIn = await deps.metrics.signIn('master', () => loginMaster(deps, by, request.body, rpIdOf(request)))
      return { success: true as const, message: 'Master login successful!', ...signedIn }
    })

    app.post('/auth/second-factor', { schema: api.loginSecondFactor }, async (request) => {
      const by = notSignedIn(request)
      const signedIn = await deps.metrics.signIn(
        'unknown',
        () => completeSignIn(deps, by, request.body, rpIdOf(request)),
        ({ user }) => roleOf(user),
      )
      return { success: true as const, ...signedIn }
    })
  }

export const sessionRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'master', ...HOST_ROLES)

    app.post(
      '/auth/verify',
      { schema: api.verifySession, config: { background: true, rateLimit: { max: 120 } } },
      async (request) => {
        const session = signedIn(request)
        if (request.body?.handed_over) requireHandOver(deps, session)
        const mustAdd = !(await deps.requiredFactors.check(session))
        const user = await ownerOf(deps, session)
        return { success: true as const, user, ...(mustAdd && { must_add_second_factor: true as const }) }
      },
    )

    app.post('/auth/logout', { schema: api.logout }, async (request) => {
      await logOut(deps, actorOfSession(signedIn(request), request.ip))
      return api.LOGGED_OUT
    })
  }

function roleOf({ role }: SessionUser): 'master' | 'host' | 'assistant' {
  return role === 'master' || role === 'host' ? role : 'assistant'
}

function signedIn({ session }: FastifyRequest): Session {
  if (!session) throw new AppError('not_signed_in', 'Please sign in again.')
  return session
}

async function ownerOf(deps: Deps, { master_id, assistant_id, host_id }: Session): Promise<SessionUser> {
  if (master_id) return findMaster(deps, master_id)
  if (assistant_id) return assistantUser(await findAssistant(deps.db, assistant_id))
  if (host_id) return findHost(deps, host_id)
  throw new AppError('not_signed_in', 'Please sign in again.')
}

export const claimRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'master', ...HOST_ROLES)

    // A repeat of a lost answer comes with the token that the first call has ended, which the guard refuses.
    app.addHook('onRequest', async (request, reply) => {
      const [token, key] = [bearerToken(request.headers.authorization), repeatKeyOf(request)]
      if (token === null || key === null || (await deps.sessions.find(token))) return
      const replacement = await deps.sessions.findReplacement(token, key, request.ip)
      if (!replacement) return
      const user = await ownerOf(deps, replacement.session)
      return reply.send({ success: true as const, token: replacement.token, user })
    })

    app.post('/auth/claim', { schema: api.claimSession, config: { isNeverReplayed: true } }, async (request) => {
      const session = signedIn(request)
      const user = await ownerOf(deps, session)
      const by = { ...actorOfSession(session, request.ip), user_agent: userAgentOf(request) }
      const token = await claimSession(deps, by, session, repeatKeyOf(request))
      return { success: true as const, token, user }
    })
  }

/** Returns null for a key that others might guess. */
function repeatKeyOf({ headers }: FastifyRequest): string | null {
  const key = headers['idempotency-key']
  return typeof key === 'string' && key.length >= 20 && key.length <= 200 ? key : null
}

export const hostLogoutRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'host')

    app.post('/auth/host/logout', { schema: api.logoutHost }, async (request) => {
      await logOut(deps, actorOfSession(signedIn(request), request.ip))
      return api.LOGGED_OUT
    })
  }
