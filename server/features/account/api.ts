import type { FastifySchema } from 'fastify'
import {
  AccountAnswer,
  AccountSessionsAnswer,
  ChangePassword,
  Confirm,
  ConfirmedAnswer,
  ConfirmOptionsAnswer,
  EndedSessionsAnswer,
} from '../../../shared/account.ts'
import { ById, Done } from '../../../shared/envelope.ts'
import { ID, master, NOON, PASSWORD, passkeyOptions, secondFactor } from '../../../shared/examples.ts'
import { withExample } from '../../lib/with-example.ts'

const tags = ['Account']

export const getAccount = {
  tags,
  operationId: 'getAccount',
  summary: 'Get your own account',
  response: {
    200: withExample(AccountAnswer, {
      success: true,
      data: { user: master, password_changed_at: NOON, second_factor: secondFactor, confirmed_until: null },
    }),
  },
} satisfies FastifySchema

export const changePassword = {
  tags,
  operationId: 'changePassword',
  summary: 'Change your own password',
  description:
    'Ends all other console sessions of the account. Phones stay signed in. A wrong current password counts as a ' +
    'failed sign-in. The new one has at least 8 characters, is not among the most common ones, and differs from the ' +
    'username, the email address and the current password.',
  body: withExample(ChangePassword, { current_password: PASSWORD, new_password: 'seven green kettles' }),
  response: { 200: withExample(Done, { success: true, message: 'Password changed. 2 other sessions were ended.' }) },
  failures: ['wrong_credentials', 'too_many', 'busy'],
} satisfies FastifySchema

export const getConfirmOptions = {
  tags,
  operationId: 'getConfirmOptions',
  summary: 'Get what a confirmation by passkey needs',
  description: 'Null without a passkey for this site.',
  response: { 200: withExample(ConfirmOptionsAnswer, { success: true, data: { passkey_options: passkeyOptions } }) },
} satisfies FastifySchema

export const confirm = {
  tags,
  operationId: 'confirm',
  summary: "Confirm that it's you",
  description:
    'Some acts need a sign-in or a confirmation within the last 15 minutes (CONFIRM_MINUTES); they are refused with ' +
    '`confirm_needed`. After this call they succeed, under the same Idempotency-Key too. A wrong password counts as ' +
    'a failed sign-in, and so does a passkey that does not verify.',
  body: withExample(Confirm, { password: PASSWORD }),
  response: { 200: withExample(ConfirmedAnswer, { success: true, data: { confirmed_until: NOON } }) },
  failures: ['wrong_credentials', 'second_factor_wrong', 'too_many', 'busy'],
} satisfies FastifySchema

export const listSessions = {
  tags,
  operationId: 'listSessions',
  summary: 'List the console sessions of your account',
  description: 'Those that would be admitted now, the newest first.',
  response: {
    200: withExample(AccountSessionsAnswer, {
      success: true,
      data: {
        sessions: [
          {
            id: ID.session,
            device: 'Firefox on Linux',
            ip: '203.0.113.7',
            signed_in_at: NOON,
            last_active_at: NOON,
            expires_at: '2026-11-21T00:00:00.000Z',
            is_current: true,
          },
        ],
      },
    }),
  },
} satisfies FastifySchema

export const endSession = {
  tags,
  operationId: 'endSession',
  summary: 'End another console session of your account',
  description: 'Its token is refused from then on, and its event streams end. The current one ends by logging out.',
  params: withExample(ById, { id: ID.otherSession }),
  response: { 200: withExample(Done, { success: true, message: 'Session ended' }) },
  failures: ['not_found', 'conflict'],
} satisfies FastifySchema

export const endOtherSessions = {
  tags,
  operationId: 'endOtherSessions',
  summary: 'End all other console sessions of your account',
  response: { 200: withExample(EndedSessionsAnswer, { success: true, data: { ended: 2 } }) },
} satisfies FastifySchema
