import type { FastifySchema } from 'fastify'
import {
  ClaimAnswer,
  HostLogin,
  HostLoginAnswer,
  MasterLogin,
  MasterLoginAnswer,
  SecondFactorLogin,
  SecondFactorLoginAnswer,
  VerifyAnswer,
  VerifyBody,
} from '../../../shared/auth.ts'
import { Done } from '../../../shared/envelope.ts'
import { CHALLENGE, host, master, PASSWORD, RECOVERY_CODE, TOKEN } from '../../../shared/examples.ts'
import { withExample } from '../../lib/with-example.ts'

const tags = ['Signing in']
export const LOGGED_OUT = { success: true as const, message: 'Logged out successfully' }

export const loginHost = {
  tags,
  operationId: 'loginHost',
  summary: 'Sign a host in',
  description:
    'The case of the username does not matter. An assistant signs in as NAME@HOSTNAME, with the username of its host. ' +
    'The reason for a refusal is given only after the right password.',
  body: withExample(HostLogin, { username: host.username, password: PASSWORD }),
  response: {
    200: withExample(HostLoginAnswer, {
      success: true,
      message: 'Login successful!',
      data: { token: TOKEN, user: host },
    }),
  },
  failures: ['wrong_credentials', 'second_factor_needed', 'subscription_cancelled', 'too_many', 'busy'],
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
  failures: ['wrong_credentials', 'second_factor_needed', 'too_many', 'busy'],
} satisfies FastifySchema

export const loginSecondFactor = {
  tags,
  operationId: 'loginSecondFactor',
  summary: 'Show the second factor of a sign-in',
  description:
    'Goes on with a sign-in that was answered with `second_factor_needed`: its challenge, and the code of the app, a ' +
    'passkey, or a recovery code, which works once. A challenge lasts five minutes and five tries, and an account has ten ' +
    'wrong codes an hour. Nobody is signed in before.',
  body: withExample(SecondFactorLogin, { challenge: CHALLENGE, recovery_code: RECOVERY_CODE }),
  response: {
    200: withExample(SecondFactorLoginAnswer, { success: true, token: TOKEN, user: master, recovery_codes_left: 9 }),
  },
  failures: ['second_factor_wrong', 'challenge_expired', 'subscription_cancelled', 'too_many', 'busy'],
} satisfies FastifySchema

export const verifySession = {
  tags,
  operationId: 'verifySession',
  summary: 'Check a token and get its user',
  description:
    'Returns the signed-in master, host or assistant, with `must_add_second_factor` where other calls are refused until ' +
    'then. Does not keep an idle session alive. With `handed_over` it checks a token that came in a URL, and refuses it ' +
    'where `POST /auth/claim` would.',
  body: withExample(VerifyBody, { handed_over: false }),
  response: { 200: withExample(VerifyAnswer, { success: true, user: master }) },
} satisfies FastifySchema

export const claimSession = {
  tags,
  operationId: 'claimSession',
  summary: 'Exchange a token that came in a URL',
  description:
    'For a token from the `auth_token` parameter of a URL, where others may have read it. Ends its session and ' +
    'returns the token of a new one. Works once, within 60 s of the sign-in; after that it answers 401. Within five ' +
    'minutes more a repeat under the same `Idempotency-Key`, of 20 or more random characters, gets the same session.',
  response: { 200: withExample(ClaimAnswer, { success: true, token: TOKEN, user: master }) },
} satisfies FastifySchema

export const logout = {
  tags,
  operationId: 'logout',
  summary: 'End this session',
  description: 'For masters, hosts and assistants. The token is refused from then on, and its event streams end.',
  response: { 200: withExample(Done, LOGGED_OUT) },
} satisfies FastifySchema

export const logoutHost = {
  tags,
  operationId: 'logoutHost',
  summary: "End this host's session",
  response: { 200: withExample(Done, LOGGED_OUT) },
} satisfies FastifySchema
