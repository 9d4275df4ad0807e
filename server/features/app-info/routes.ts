import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Deps } from '../../deps.ts'
import { allow, signedInHost } from '../auth/guards.ts'
import * as api from './api.ts'
import { editAppInfo, findAppInfo } from './app-info.ts'

export const appInfoRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'host')

    app.get('/host/app-info', { schema: api.getAppInfo }, async (request) => ({
      success: true as const,
      appInfo: await findAppInfo(deps, signedInHost(request)),
    }))

    app.put(
      '/host/app-info',
      {
        schema: api.editAppInfo,
        config: { rateLimit: { max: 20 } }, // each can add 9 KB to the audit
      },
      async (request) => ({
        success: true as const,
        message: 'App information updated successfully',
        appInfo: await editAppInfo(deps, signedInHost(request), request.body),
      }),
    )
  }
