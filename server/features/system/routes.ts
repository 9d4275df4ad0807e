import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Deps } from '../../deps.ts'
import { allow, signedInMaster } from '../auth/guards.ts'
import * as api from './api.ts'
import { sendTestMail } from './send-test-mail.ts'
import { reportSystem } from './system-report.ts'

export const systemRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'master')

    app.get('/admin/system', { schema: api.getSystem, config: { rateLimit: { max: 60 } } }, async () => ({
      success: true as const,
      data: await reportSystem(deps, await deps.systemChecks.recent()),
    }))

    app.post(
      '/admin/system/check',
      { schema: api.checkSystem, config: { keepsNoAnswer: true, rateLimit: { max: 6 } } },
      async () => ({ success: true as const, data: await reportSystem(deps, await deps.systemChecks.run()) }),
    )

    app.post(
      '/admin/system/test-mail',
      {
        schema: api.sendTestMail,
        config: { rateLimit: { max: 6 }, tooMany: 'Too many test mails were sent. Please wait a moment.' },
      },
      async (request) => ({ success: true as const, data: await sendTestMail(deps, signedInMaster(request)) }),
    )
  }
