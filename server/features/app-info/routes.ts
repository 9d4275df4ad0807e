import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { AppInfoAnswer, EditAppInfo } from '../../../shared/app-info.ts'
import { appInfo, PASSWORD } from '../../../shared/examples.ts'
import type { Deps } from '../../deps.ts'
import { withExample } from '../../lib/with-example.ts'
import { allow, signedInHost } from '../auth/guards.ts'
import { editAppInfo, findAppInfo } from './app-info.ts'

const tags = ['Profile']
const { has_password: _has_password, ...editable } = appInfo

export const appInfoRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'host')

    app.get(
      '/host/app-info',
      {
        schema: {
          tags,
          operationId: 'getAppInfo',
          summary: 'Get what users see in the phone app',
          description: '`password` is never returned: `has_password` says whether one is set.',
          response: { 200: withExample(AppInfoAnswer, { success: true, appInfo }) },
        },
      },
      async (request) => ({
        success: true as const,
        appInfo: await findAppInfo(deps, signedInHost(request)),
      }),
    )

    app.put(
      '/host/app-info',
      {
        schema: {
          tags,
          operationId: 'editAppInfo',
          summary: 'Edit what users see in the phone app',
          description:
            'A blank password keeps the current one. `user_id` is ignored. With `expect`, nothing is saved if a field ' +
            'that would change holds another value than was seen.',
          body: withExample(EditAppInfo, { ...editable, password: PASSWORD, expect: { allow_recording: true } }),
          response: {
            200: withExample(AppInfoAnswer, {
              success: true,
              message: 'App information updated successfully',
              appInfo,
            }),
          },
          failures: ['state_changed', 'too_many', 'busy'],
        },
        config: { rateLimit: { max: 20 } }, // each can add 9 KB to the audit
      },
      async (request) => ({
        success: true as const,
        message: 'App information updated successfully',
        appInfo: await editAppInfo(deps, signedInHost(request), request.body, request.ip),
      }),
    )
  }
