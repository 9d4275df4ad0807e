import type { FastifySchema } from 'fastify'
import {
  AccountLinkAnswer,
  LookAtLink,
  MakeResetLink,
  ResetLinkAnswer,
  UseLink,
} from '../../../shared/account-links.ts'
import { ById, Done } from '../../../shared/envelope.ts'
import { ACCOUNT_LINK_TOKEN, host, ID } from '../../../shared/examples.ts'
import { withExample } from '../../lib/with-example.ts'

const tags = ['Signing in']
const TOMORROW = '2026-11-21T12:00:00.000Z'

export const LINK_USED = { success: true as const, message: 'Password set. Please sign in.' }

export const lookAtLink = {
  tags,
  operationId: 'lookAtLink',
  summary: 'Get whose password a link sets',
  description:
    'For the token after `#` in the address of an invitation or a reset link. It does not use the link up. A wrong ' +
    'token counts as a wrong password; one address may look sixty times at once, and once a second after that.',
  body: withExample(LookAtLink, { token: ACCOUNT_LINK_TOKEN }),
  response: {
    200: withExample(AccountLinkAnswer, {
      success: true,
      data: { purpose: 'host_reset', account: host.username, removes_second_factor: false, expires_at: TOMORROW },
    }),
  },
  failures: ['link_invalid', 'too_many', 'busy'],
} satisfies FastifySchema

export const useLink = {
  tags,
  operationId: 'useLink',
  summary: 'Set a password with a link',
  description:
    'Works once, and signs nobody in. It ends all console sessions of the account with the reason `reset`; phones ' +
    'stay signed in. The password follows the rules of `POST /account/password`. A refused one leaves the link valid.',
  body: withExample(UseLink, { token: ACCOUNT_LINK_TOKEN, password: 'seven green kettles' }),
  response: { 200: withExample(Done, LINK_USED) },
  failures: ['link_invalid', 'too_many', 'busy'],
} satisfies FastifySchema

export const makeHostResetLink = {
  tags: ['Hosts'],
  operationId: 'makeHostResetLink',
  summary: 'Make a link with which a host sets a new password',
  description:
    'Valid for 24 hours, once. It is returned here alone, and a later one of the same host replaces it. It is void ' +
    'once the password is changed otherwise, the host is cancelled or deleted, or the master who made it is removed. ' +
    'The present password works until the link is used; with `remove_second_factor`, the second factor is removed ' +
    'then. The link is not kept for a repeat of the call: with the same `Idempotency-Key` it makes no second link, ' +
    'and gets `conflict`. With `send_mail` it is mailed to the host too; `mailed` is false while mail is off, or if ' +
    'the host has got too many.',
  params: withExample(ById, { id: ID.host }),
  body: withExample(MakeResetLink, { remove_second_factor: false, send_mail: false }),
  response: {
    200: withExample(ResetLinkAnswer, {
      success: true,
      data: {
        url: `https://host.parley.example/link#${ACCOUNT_LINK_TOKEN}`,
        expires_at: TOMORROW,
        mailed: false,
      },
    }),
  },
  failures: ['conflict', 'too_many'],
} satisfies FastifySchema
