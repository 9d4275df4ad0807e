import type { FastifySchema } from 'fastify'
import { AppInfoAnswer, EditAppInfo } from '../../../shared/app-info.ts'
import { appInfo, PASSWORD } from '../../../shared/examples.ts'
import { withExample } from '../../lib/with-example.ts'

const tags = ['Profile']
const { has_password: _has_password, ...editable } = appInfo

export const getAppInfo = {
  tags,
  operationId: 'getAppInfo',
  summary: 'Get what users see in the phone app',
  description: '`password` is never returned: `has_password` says whether one is set.',
  response: { 200: withExample(AppInfoAnswer, { success: true, appInfo }) },
} satisfies FastifySchema

export const editAppInfo = {
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
} satisfies FastifySchema
