import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { AppInfoAnswer, EditAppInfo } from '../../../shared/app-info.ts'
import type { Deps } from '../../deps.ts'
import { allow, signedInHost } from '../auth/guards.ts'
import { editAppInfo, findAppInfo } from './app-info.ts'

export const appInfoRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'host')

    app.get('/host/app-info', { schema: { response: { 200: AppInfoAnswer } } }, async (request) => ({
      success: true as const,
      appInfo: await findAppInfo(deps, signedInHost(request)),
    }))

    app.put('/host/app-info', { schema: { body: EditAppInfo, response: { 200: AppInfoAnswer } } }, async (request) => ({
      success: true as const,
      message: 'App information updated successfully',
      appInfo: await editAppInfo(deps, signedInHost(request), request.body, request.ip),
    }))
  }
