import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { HOST_ROLES, type SessionUser } from '../../../shared/auth.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { uuidOr404 } from '../../lib/uuid.ts'
import { assistantUser, findAssistant } from '../assistants/find-assistant.ts'
import { findConfirmation } from '../auth/confirmation.ts'
import { allow } from '../auth/guards.ts'
import { findMaster } from '../auth/masters.ts'
import type { Session } from '../auth/session-rows.ts'
import { findHost } from '../hosts/hosts.ts'
import { describeFactors } from '../second-factor/factors.ts'
import { rpIdOf } from '../second-factor/rp-id.ts'
import { type AccountOwner, accountOwner, findAccount } from './accounts.ts'
import * as api from './api.ts'
import { changePassword } from './change-password.ts'
import { confirmOptions, confirmSession } from './confirm.ts'
import { endOtherSessions, endSession, listSessions } from './console-sessions.ts'

export const accountRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'master', ...HOST_ROLES)

    app.get('/account', { schema: api.getAccount }, async (request) => {
      const by = accountOwner(request)
      const { password_changed_at } = await findAccount(deps.db, by)
      const user = await findUser(deps, by)
      const second_factor = await describeFactors(deps, by, rpIdOf(request))
      const confirmed_until = (await findConfirmation(deps, sessionOf(request)))?.toISOString() ?? null
      return {
        success: true as const,
        data: { user, password_changed_at: password_changed_at?.toISOString() ?? null, second_factor, confirmed_until },
      }
    })

    app.post(
      '/account/confirm/options',
      { schema: api.getConfirmOptions, config: { isNeverReplayed: true } },
      async (request) => {
        const passkey_options = await confirmOptions(deps, accountOwner(request), rpIdOf(request))
        return { success: true as const, data: { passkey_options } }
      },
    )

    app.post('/account/confirm', { schema: api.confirm, config: { isNeverReplayed: true } }, async (request) => {
      const session = sessionOf(request)
      await confirmSession(deps, accountOwner(request), { session, rpId: rpIdOf(request) }, request.body)
      const confirmed_until = (await findConfirmation(deps, session))?.toISOString() ?? null
      return { success: true as const, data: { confirmed_until } }
    })

    app.post('/account/password', { schema: api.changePassword }, async (request) => {
      const ended = await changePassword(deps, accountOwner(request), request.body)
      const others = ended === 1 ? '1 other session was' : `${ended} other sessions were`
      return { success: true as const, message: `Password changed. ${others} ended.` }
    })

    app.get('/account/sessions', { schema: api.listSessions }, async (request) => {
      const sessions = await listSessions(deps, accountOwner(request))
      return { success: true as const, data: { sessions } }
    })

    app.delete('/account/sessions/:id', { schema: api.endSession }, async (request) => {
      await endSession(deps, accountOwner(request), uuidOr404(request.params.id, 'Session not found'))
      return { success: true as const, message: 'Session ended' }
    })

    app.post('/account/sessions/end-others', { schema: api.endOtherSessions }, async (request) => {
      const ended = await endOtherSessions(deps, accountOwner(request))
      return { success: true as const, data: { ended } }
    })
  }

async function findUser(deps: Deps, { role, id }: AccountOwner): Promise<SessionUser> {
  if (role === 'master') return findMaster(deps, id)
  if (role === 'host') return findHost(deps, id)
  return assistantUser(await findAssistant(deps.db, id))
}

function sessionOf({ session }: FastifyRequest): Session {
  if (!session) throw new AppError('not_signed_in', 'Please sign in again.')
  return session
}
