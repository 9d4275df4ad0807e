import type { FastifySchema } from 'fastify'
import {
  ClaimAnswer,
  HostLogin,
  HostLoginAnswer,
  MasterLogin,
  MasterLoginAnswer,
  VerifyAnswer,
  VerifyBody,
} from '../../../shared/auth.ts'
import { Done } from '../../../shared/envelope.ts'
import { host, master, PASSWORD, TOKEN } from '../../../shared/examples.ts'
import { withExample } from '../../lib/with-example.ts'

const tags = ['Signing in']
export const LOGGED_OUT = { success: true as const, message: 'Logged out successfully' }

export const loginHost = {
  tags,
  operationId: 'loginHost',
  summary: 'Sign a host in',
  description:
    'The case of the username does not matter. The reason for a refusal is given only after the right password.',
  body: withExample(HostLogin, { username: host.username, password: PASSWORD }),
  response: {
    200: withExample(HostLoginAnswer, {
      success: true,
      message: 'Login successful!',
      data: { token: TOKEN, user: host },
    }),
  },
  failures: ['wrong_credentials', 'subscription_cancelled', 'too_many', 'busy'],
} satisfies FastifySchema

export const loginMaster = {
  tags,
  operationId: 'loginMaster',
  summary: 'Sign a master in',
  description: 'Here `token` and `user` are at the top level of the answer, not under `data`.',
  body: withExample(MasterLogin, { email: master.email, password: PASSWORD }),
  response: {
    200: withExample(MasterLoginAnswer, {
      success: true,
      message: 'Master login successful!',
      token: TOKEN,
      user: master,
    }),
  },
  failures: ['wrong_credentials', 'too_many', 'busy'],
} satisfies FastifySchema

export const verifySession = {
  tags,
  operationId: 'verifySession',
  summary: 'Check a token and get its user',
  description:
    'Returns the signed-in master or host. Does not keep an idle session alive. With `handed_over` it checks a ' +
    'token that came in a URL, and refuses it where `POST /auth/claim` would.',
  body: withExample(VerifyBody, { handed_over: false }),
  response: { 200: withExample(VerifyAnswer, { success: true, user: master }) },
} satisfies FastifySchema

export const claimSession = {
  tags,
  operationId: 'claimSession',
  summary: 'Exchange a token that came in a URL',
  description:
    'For a token from the `auth_token` parameter of a URL, where others may have read it. Ends its session and ' +
    'returns the token of a new one. Works once, within 60 s of the sign-in; after that it answers 401.',
  response: { 200: withExample(ClaimAnswer, { success: true, token: TOKEN, user: master }) },
} satisfies FastifySchema

export const logout = {
  tags,
  operationId: 'logout',
  summary: 'End this session',
  description: 'For masters and hosts. The token is refused from then on, and its event streams end.',
  response: { 200: withExample(Done, LOGGED_OUT) },
} satisfies FastifySchema

export const logoutHost = {
  tags,
  operationId: 'logoutHost',
  summary: "End this host's session",
  response: { 200: withExample(Done, LOGGED_OUT) },
} satisfies FastifySchema
