import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import {
  ClaimAnswer,
  HostLogin,
  HostLoginAnswer,
  MasterLogin,
  MasterLoginAnswer,
  type SessionUser,
  VerifyAnswer,
  VerifyBody,
} from '../../../shared/auth.ts'
import { Done } from '../../../shared/envelope.ts'
import { host, master, PASSWORD, TOKEN } from '../../../shared/examples.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { withExample } from '../../lib/with-example.ts'
import { allow, signedInHost } from '../auth/guards.ts'
import { logOut } from '../auth/log-out.ts'
import { findMaster, loginMaster } from '../auth/masters.ts'
import type { Session } from '../auth/session-rows.ts'
import { findHost } from '../hosts/hosts.ts'
import { claimSession, requireHandOver } from './claim-session.ts'
import { loginHost } from './host-login.ts'

const tags = ['Signing in']
const LOGGED_OUT = { success: true as const, message: 'Logged out successfully' }

export const loginRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'public')

    app.post(
      '/auth/host/login',
      {
        schema: {
          tags,
          operationId: 'loginHost',
          summary: 'Sign a host in',
          description:
            'The case of the username does not matter. The reason for a refusal is given only after the right password.',
          body: withExample(HostLogin, { username: host.username, password: PASSWORD }),
          response: {
            200: withExample(HostLoginAnswer, {
              success: true,
              message: 'Login successful!',
              data: { token: TOKEN, user: host },
            }),
          },
          failures: ['wrong_credentials', 'subscription_cancelled', 'too_many', 'busy'],
        },
      },
      async ({ body, ip }) => {
        const data = await loginHost(deps, body, ip)
        return { success: true as const, message: 'Login successful!', data }
      },
    )

    app.post(
      '/auth/master-login',
      {
        schema: {
          tags,
          operationId: 'loginMaster',
          summary: 'Sign a master in',
          description: 'Here `token` and `user` are at the top level of the answer, not under `data`.',
          body: withExample(MasterLogin, { email: master.email, password: PASSWORD }),
          response: {
            200: withExample(MasterLoginAnswer, {
              success: true,
              message: 'Master login successful!',
              token: TOKEN,
              user: master,
            }),
          },
          failures: ['wrong_credentials', 'too_many', 'busy'],
        },
      },
      async ({ body, ip }) => {
        const signedIn = await loginMaster(deps, body, ip)
        return { success: true as const, message: 'Master login successful!', ...signedIn }
      },
    )
  }

export const sessionRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'master', 'host')

    app.post(
      '/auth/verify',
      {
        schema: {
          tags,
          operationId: 'verifySession',
          summary: 'Check a token and get its user',
          description:
            'Returns the signed-in master or host. Does not keep an idle session alive. With `handed_over` it checks a ' +
            'token that came in a URL, and refuses it where `POST /auth/claim` would.',
          body: withExample(VerifyBody, { handed_over: false }),
          response: { 200: withExample(VerifyAnswer, { success: true, user: master }) },
        },
        config: { background: true, turns: 'database' },
      },
      async (request) => {
        const session = signedIn(request)
        if (request.body?.handed_over) requireHandOver(deps, session)
        return { success: true as const, user: await ownerOf(deps, session) }
      },
    )

    app.post(
      '/auth/claim',
      {
        schema: {
          tags,
          operationId: 'claimSession',
          summary: 'Exchange a token that came in a URL',
          description:
            'For a token from the `auth_token` parameter of a URL, where others may have read it. Ends its session and ' +
            'returns the token of a new one. Works once, within 60 s of the sign-in; after that it answers 401.',
          response: { 200: withExample(ClaimAnswer, { success: true, token: TOKEN, user: master }) },
        },
        config: { isNeverReplayed: true },
      },
      async (request) => {
        const session = signedIn(request)
        const user = await ownerOf(deps, session)
        return { success: true as const, token: await claimSession(deps, session, request.ip), user }
      },
    )

    app.post(
      '/auth/logout',
      {
        schema: {
          tags,
          operationId: 'logout',
          summary: 'End this session',
          description: 'For masters and hosts. The token is refused from then on, and its event streams end.',
          response: { 200: withExample(Done, LOGGED_OUT) },
        },
      },
      async (request) => {
        await logOut(deps, signedIn(request), request.ip)
        return LOGGED_OUT
      },
    )
  }

function signedIn({ session }: FastifyRequest): Session {
  if (!session) throw new AppError('not_signed_in', 'Please sign in again.')
  return session
}

async function ownerOf(deps: Deps, { master_id, host_id }: Session): Promise<SessionUser> {
  if (master_id) return findMaster(deps, master_id)
  if (host_id) return findHost(deps, host_id)
  throw new AppError('not_signed_in', 'Please sign in again.')
}

export const hostLogoutRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'host')

    app.post(
      '/auth/host/logout',
      {
        schema: {
          tags,
          operationId: 'logoutHost',
          summary: "End this host's session",
          response: { 200: withExample(Done, LOGGED_OUT) },
        },
      },
      async (request) => {
        await logOut(deps, signedInHost(request).session, request.ip)
        return LOGGED_OUT
      },
    )
  }
