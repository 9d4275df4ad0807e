import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { HostLogin, HostLoginAnswer, MasterLogin, MasterLoginAnswer, VerifyAnswer } from '../../shared/auth.ts'
import { Done } from '../../shared/envelope.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import { findHost } from '../hosts/hosts.ts'
import { allow, signedInHost } from './guards.ts'
import { loginHost } from './host-login.ts'
import { logOut } from './log-out.ts'
import { LoginThrottle } from './login-throttle.ts'
import { findMaster, loginMaster } from './masters.ts'

export const loginRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'public')
    const throttle = new LoginThrottle(deps.now)

    app.post(
      '/auth/host/login',
      { schema: { body: HostLogin, response: { 200: HostLoginAnswer } } },
      async ({ body, ip }) => {
        const data = await loginHost(deps, throttle, body, ip)
        return { success: true as const, message: 'Login successful!', data }
      },
    )

    app.post(
      '/auth/master-login',
      { schema: { body: MasterLogin, response: { 200: MasterLoginAnswer } } },
      async ({ body, ip }) => {
        const signedIn = await loginMaster(deps, throttle, body, ip)
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
      { schema: { response: { 200: VerifyAnswer } }, config: { background: true } },
      async ({ session }) => {
        if (session?.master_id) return { success: true as const, user: await findMaster(deps, session.master_id) }
        if (session?.host_id) return { success: true as const, user: await findHost(deps, session.host_id) }
        throw new AppError('not_signed_in', 'Please sign in again.')
      },
    )

    app.post('/auth/logout', { schema: { response: { 200: Done } } }, async ({ session, ip }) => {
      if (session) await logOut(deps, session, ip)
      return { success: true as const, message: 'Logged out successfully' }
    })
  }

export const hostLogoutRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'host')

    app.post('/auth/host/logout', { schema: { response: { 200: Done } } }, async (request) => {
      await logOut(deps, signedInHost(request).session, request.ip)
      return { success: true as const, message: 'Logged out successfully' }
    })
  }
