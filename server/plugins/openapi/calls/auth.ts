import type { Calls } from '../call.ts'
import { done, host, ID, TOKEN } from '../examples.ts'

const master = { id: ID.master, email: 'master@parley.example', username: 'master', full_name: null, role: 'master' }

export const authCalls: Calls = {
  'POST /auth/host/login': {
    tag: 'Signing in',
    name: 'loginHost',
    summary: 'Sign a host in',
    description:
      'The username is compared whatever its case. Why a host is refused is told only after the right password.',
    body: { username: 'stmary', password: 'correct horse battery' },
    answer: { ...done('Login successful!'), data: { token: TOKEN, user: host } },
    failures: ['wrong_credentials', 'subscription_cancelled', 'too_many', 'busy'],
  },
  'POST /auth/master-login': {
    tag: 'Signing in',
    name: 'loginMaster',
    summary: 'Sign a master in',
    description: 'Here `token` and `user` stand at the top of the answer, not under `data`.',
    body: { email: master.email, password: 'correct horse battery' },
    answer: { ...done('Master login successful!'), token: TOKEN, user: master },
    failures: ['wrong_credentials', 'too_many', 'busy'],
  },
  'POST /auth/verify': {
    tag: 'Signing in',
    name: 'verifySession',
    summary: 'Ask whose token this is',
    description:
      'Answers the signed-in master or host. A call that does not keep an idle session alive. With `handed_over` it asks ' +
      'of a token that came in an address, and is refused where `POST /auth/claim` would be.',
    body: { handed_over: false },
    answer: { success: true, user: master },
  },
  'POST /auth/claim': {
    tag: 'Signing in',
    name: 'claimSession',
    summary: 'Exchange a token that came in an address',
    description:
      'For the token that came in `auth_token` of an address, where others may have read it. Its session ends, and the ' +
      'answer carries the token of the one that takes its place. Once, and within 60 s of the sign-in; later, or a ' +
      'second time, it is 401.',
    answer: { success: true, token: TOKEN, user: master },
  },
  'POST /auth/logout': {
    tag: 'Signing in',
    name: 'logout',
    summary: 'End this session',
    description: 'For either role. The token is refused from then on, on every node, and its event streams end.',
    answer: done('Logged out successfully'),
  },
  'POST /auth/host/logout': {
    tag: 'Signing in',
    name: 'logoutHost',
    summary: "End this host's session",
    answer: done('Logged out successfully'),
  },
}
