import type { FastifySchema } from 'fastify'
import { ById, Done } from '../../../shared/envelope.ts'
import { ACCOUNT_LINK_TOKEN, ID, master, NOON } from '../../../shared/examples.ts'
import { InvitationAnswer, InviteMaster, type MasterInvitation, MastersAnswer } from '../../../shared/masters.ts'
import { withExample } from '../../lib/with-example.ts'

const tags = ['Masters']
const email = 'ana@parley.example'
const invitation: MasterInvitation = {
  id: ID.invitation,
  email,
  made_by: master.email,
  created_at: NOON,
  expires_at: '2026-11-27T12:00:00.000Z',
}

export const listMasters = {
  tags,
  operationId: 'listMasters',
  summary: 'List the masters and the open invitations',
  response: {
    200: withExample(MastersAnswer, {
      success: true,
      data: {
        masters: [
          {
            id: master.id,
            email: master.email,
            full_name: master.full_name,
            created_at: '2026-03-01T09:15:00.000Z',
            last_active_at: NOON,
            has_second_factor: false,
            is_you: true,
          },
        ],
        invitations: [invitation],
      },
    }),
  },
} satisfies FastifySchema

export const inviteMaster = {
  tags,
  operationId: 'inviteMaster',
  summary: 'Invite a master',
  description:
    'Returns a link with which the invited person sets a password, once and within seven days; it is returned here ' +
    'alone. A later invitation of the same address replaces it. It is void once it is cancelled, or the master who ' +
    'made it is removed. Twenty may be open, and there are at most 50 masters, invited ones among them. The link is ' +
    'not kept for a repeat of the call: with the same `Idempotency-Key` it makes no second one, and gets `conflict`. ' +
    'With `send_mail` it is mailed too; `mailed` is false while mail is off, or if the address has got too many.',
  body: withExample(InviteMaster, { email, full_name: 'Ana Lima', send_mail: false }),
  response: {
    200: withExample(InvitationAnswer, {
      success: true,
      data: { invitation, url: `https://master.parley.example/link#${ACCOUNT_LINK_TOKEN}`, mailed: false },
    }),
  },
  failures: ['conflict'],
} satisfies FastifySchema

export const cancelInvitation = {
  tags,
  operationId: 'cancelInvitation',
  summary: 'Cancel the invitation of a master',
  description: '`not_found` if it is not open any more: it was used, has run out, or was cancelled before.',
  params: withExample(ById, { id: ID.invitation }),
  response: { 200: withExample(Done, { success: true, message: 'Invitation cancelled' }) },
} satisfies FastifySchema

export const removeMaster = {
  tags,
  operationId: 'removeMaster',
  summary: 'Remove a master',
  description:
    'Ends its sessions at once, and voids its links and the invitations and reset links that it has made. Its name ' +
    'stays in the audit, and its email can be invited again. You may remove yourself, but not the last master.',
  params: withExample(ById, { id: ID.otherMaster }),
  response: { 200: withExample(Done, { success: true, message: 'Master ana@parley.example removed' }) },
  failures: ['last_master'],
} satisfies FastifySchema
