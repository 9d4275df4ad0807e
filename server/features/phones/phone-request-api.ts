import type { FastifySchema } from 'fastify'
import { z } from 'zod'
import { ById, Done } from '../../../shared/envelope.ts'
import { anita, host, maria, PASSWORD } from '../../../shared/examples.ts'
import { MobileLogin } from '../../../shared/mobile.ts'
import {
  DecidePhoneRequest,
  PhoneRequestDecision,
  PhoneRequestStateAnswer,
  PhoneRequestsAnswer,
  PhoneRequestTicketAnswer,
} from '../../../shared/phone-requests.ts'
import { withExample } from '../../lib/with-example.ts'

const REQUEST_TICKET = 'Vb3nT0qLw8sZrXk5MdYp1cGfJh7uEa9iOo2RxQv4SlU'
const RequestTicket = z.object({ ticket: z.string().max(100) })
const Decision = ById.extend({ decision: PhoneRequestDecision })

export const requestPhoneChange = {
  tags: ['Phones'],
  operationId: 'askForPhone',
  summary: 'Ask the host to let this phone take the place of the bound one',
  description:
    'For a phone whose sign-in was refused with `device_mismatch`, with the same body. The host sees the request at ' +
    'once, for a day. A later request of the same user replaces it. `conflict` means that this phone may sign in as ' +
    'it is, or that the account is the host’s own, whose phone is changed in Host Master.',
  body: withExample(MobileLogin, {
    host_id: host.user_id,
    username: maria.username,
    password: PASSWORD,
    device_id: 'a new phone',
    device_model: 'iPhone 17',
    platform: 'web',
  }),
  response: {
    200: withExample(PhoneRequestTicketAnswer, {
      success: true,
      data: { ticket: REQUEST_TICKET, expires_at: '2026-11-21T12:00:00.000Z' },
    }),
  },
  failures: [
    'wrong_credentials',
    'subscription_cancelled',
    'subscription_inactive',
    'room_stopped',
    'user_inactive',
    'conflict',
    'too_many',
    'busy',
  ],
} satisfies FastifySchema

export const getPhoneRequest = {
  tags: ['Phones'],
  operationId: 'getPhoneRequest',
  summary: 'Get what became of a request',
  description:
    '`approved` means that the phone can sign in now. An unknown ticket is `expired`, as is one that a later request ' +
    'has replaced, and one whose user was deactivated or deleted or has a new password.',
  params: withExample(RequestTicket, { ticket: REQUEST_TICKET }),
  response: { 200: withExample(PhoneRequestStateAnswer, { success: true, data: { state: 'waiting' } }) },
  failures: ['too_many'],
} satisfies FastifySchema

export const listPhoneRequests = {
  tags: ['Room users'],
  operationId: 'listPhoneRequests',
  summary: 'List the new phones that wait for the host',
  description:
    'The oldest first. The event `phone-requests` says that the list has changed. Does not keep an idle session alive.',
  response: {
    200: withExample(PhoneRequestsAnswer, {
      success: true,
      data: {
        requests: [
          {
            id: anita.id,
            user_id: anita.user_id,
            username: anita.username,
            reference: anita.reference,
            device_model: 'iPhone 17',
            platform: 'web',
            requested_at: '2026-11-20T12:00:00.000Z',
          },
        ],
      },
    }),
  },
} satisfies FastifySchema

export const decidePhoneRequest = {
  tags: ['Room users'],
  operationId: 'decidePhoneRequest',
  summary: 'Let a new phone take the place of the bound one, or not',
  description: 'By the id of the user. Approved, the old phone is signed out and the new one can sign in.',
  params: withExample(Decision, { id: maria.id, decision: 'approve' }),
  body: withExample(DecidePhoneRequest, { expect: { requested_at: '2026-11-20T12:00:00.000Z' } }),
  response: { 200: withExample(Done, { success: true, message: 'Phone approved' }) },
  failures: ['not_found', 'state_changed'],
} satisfies FastifySchema
