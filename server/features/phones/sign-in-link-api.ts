import type { FastifySchema } from 'fastify'
import { ById, Done } from '../../../shared/envelope.ts'
import { anita, host, zoya } from '../../../shared/examples.ts'
import {
  FindLinkOwner,
  LinkLogin,
  LinkOwnerAnswer,
  OpenSignInLinksAnswer,
  SignInLinkAnswer,
} from '../../../shared/sign-in-links.ts'
import { withExample } from '../../lib/with-example.ts'
import { LOGIN_FAILURES, loginAnswer } from './api.ts'

export const findLinkOwner = {
  tags: ['Phones'],
  operationId: 'findLinkOwner',
  summary: 'Get for whom a one-time link is',
  description:
    'So that a phone can say who will be signed in, and in which room. It does not use the link up. A wrong link ' +
    'counts as one that was tried; one address may look sixty times at once, and once a second after that.',
  body: withExample(FindLinkOwner, { host_id: host.user_id, link_token: zoya.link_token }),
  response: {
    200: withExample(LinkOwnerAnswer, {
      success: true,
      data: { username: zoya.username, room_name: host.room_name },
    }),
  },
  failures: ['link_invalid', 'too_many', 'busy'],
} satisfies FastifySchema

export const loginPhoneByLink = {
  tags: ['Phones'],
  operationId: 'loginPhoneByLink',
  summary: 'Sign a phone in with a one-time link',
  description:
    'Instead of username and password, with what follows `#link=` in the URL of the link. All else is as in ' +
    '`POST /mobile/login`. A link works once: of several phones that use it at once, one is signed in. If its ' +
    'answer is lost, that phone may repeat the call with the same `device_id` for 15 minutes, until it has used its ' +
    'session. A refusal other than `link_invalid` does not use the link up.',
  body: withExample(LinkLogin, {
    host_id: host.user_id,
    link_token: zoya.link_token,
    device_id: '1f3870be274f6c49',
    device_secret: null,
    device_model: 'iPhone 17',
    platform: 'web',
    app_version: '1.0.0',
  }),
  response: { 200: loginAnswer },
  failures: ['link_invalid', ...LOGIN_FAILURES],
} satisfies FastifySchema

export const makeSignInLink = {
  tags: ['Room users'],
  operationId: 'makeSignInLink',
  summary: 'Make a one-time link that signs a user in',
  description:
    'The link signs one phone of the user in without a password, once and within 24 hours. It is returned here ' +
    'alone. A later link of the same user replaces it. It is void once it is revoked, once the user gets another ' +
    'password, is signed out, freed from the phone, deactivated or deleted, and once a master sets another password ' +
    'for the host. Whoever has the link can use it. Every use of this call is recorded in the audit log. The link is ' +
    'not kept for a repeat of the call: with the same `Idempotency-Key` it makes no second link, and gets `conflict`.',
  params: withExample(ById, { id: anita.id }),
  response: {
    200: withExample(SignInLinkAnswer, {
      success: true,
      data: {
        url: `https://phone.parley.example/?host=${host.user_id}#link=${zoya.link_token}`,
        expires_at: '2026-11-21T12:00:00.000Z',
      },
    }),
  },
  failures: ['user_inactive'],
} satisfies FastifySchema

export const listOpenSignInLinks = {
  tags: ['Room users'],
  operationId: 'listOpenSignInLinks',
  summary: 'List the users who have an open one-time link',
  description:
    'Links that would still sign someone in, the next to run out first. What the links are is stored nowhere.',
  response: {
    200: withExample(OpenSignInLinksAnswer, {
      success: true,
      data: { links: [{ id: anita.id, expires_at: '2026-11-21T12:00:00.000Z' }] },
    }),
  },
} satisfies FastifySchema

export const revokeSignInLink = {
  tags: ['Room users'],
  operationId: 'revokeSignInLink',
  summary: "Revoke a user's one-time link",
  description:
    'It signs nobody in from then on. `not_found` if it is not open any more: it was used, has run out, or was ' +
    'revoked before.',
  params: withExample(ById, { id: zoya.id }),
  response: { 200: withExample(Done, { success: true, message: 'Link revoked' }) },
} satisfies FastifySchema
