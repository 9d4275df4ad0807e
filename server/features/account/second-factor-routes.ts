import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { HOST_ROLES } from '../../../shared/auth.ts'
import type { Deps } from '../../deps.ts'
import { uuidOr404 } from '../../lib/uuid.ts'
import { allow } from '../auth/guards.ts'
import { addPasskey, beginPasskey, removePasskey } from '../second-factor/passkeys.ts'
import { makeRecoveryCodes } from '../second-factor/recovery-codes.ts'
import { rpIdOf } from '../second-factor/rp-id.ts'
import { beginTotp, confirmTotp, removeTotp } from '../second-factor/totp.ts'
import { accountOwner, findAccount } from './accounts.ts'
import * as api from './second-factor-api.ts'

/** Generous for a person, and few for codes that are guessed. */
const LIMIT = { rateLimit: { max: 20 } }
/** The answers hold secrets, which are shown once. */
const SECRET = { ...LIMIT, isNeverReplayed: true }

export const secondFactorRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'master', ...HOST_ROLES)

    app.post(
      '/account/totp',
      { schema: api.beginTotp, config: { ...SECRET, needsConfirmation: true } },
      async (request) => {
        const by = accountOwner(request)
        const { signInName } = await findAccount(deps.db, by)
        return { success: true as const, data: await beginTotp(deps, by, signInName) }
      },
    )

    app.post('/account/totp/confirm', { schema: api.confirmTotp, config: SECRET }, async (request) => {
      const recovery_codes = await confirmTotp(deps, accountOwner(request), request.body.code)
      deps.requiredFactors.forgetMisses()
      return { success: true as const, data: { recovery_codes } }
    })

    app.delete(
      '/account/totp',
      { schema: api.removeTotp, config: { ...LIMIT, needsConfirmation: true } },
      async (request) => {
        await removeTotp(deps, accountOwner(request))
        return { success: true as const, message: 'App removed' }
      },
    )

    app.post(
      '/account/passkeys/options',
      { schema: api.beginPasskey, config: { ...SECRET, needsConfirmation: true } },
      async (request) => {
        const by = accountOwner(request)
        const { signInName: userName } = await findAccount(deps.db, by)
        const passkey_options = await beginPasskey(deps, by, { rpId: rpIdOf(request), userName })
        return { success: true as const, data: { passkey_options } }
      },
    )

    app.post('/account/passkeys', { schema: api.addPasskey, config: SECRET }, async (request) => {
      const data = await addPasskey(deps, accountOwner(request), request.body, rpIdOf(request))
      deps.requiredFactors.forgetMisses()
      return { success: true as const, data }
    })

    app.delete(
      '/account/passkeys/:id',
      { schema: api.removePasskey, config: { ...LIMIT, needsConfirmation: true } },
      async (request) => {
        await removePasskey(deps, accountOwner(request), uuidOr404(request.params.id, 'Passkey not found'))
        return { success: true as const, message: 'Passkey removed' }
      },
    )

    app.post(
      '/account/recovery-codes',
      { schema: api.makeRecoveryCodes, config: { ...SECRET, needsConfirmation: true } },
      async (request) => {
        const recovery_codes = await makeRecoveryCodes(deps, accountOwner(request))
        return { success: true as const, data: { recovery_codes } }
      },
    )
  }
