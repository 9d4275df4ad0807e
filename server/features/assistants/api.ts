import type { FastifySchema } from 'fastify'
import {
  AddAssistant,
  AddedAssistantAnswer,
  AssistantAnswer,
  AssistantLinkAnswer,
  AssistantsAnswer,
  EditAssistant,
  InviteAssistant,
} from '../../../shared/assistants.ts'
import { ById, Done } from '../../../shared/envelope.ts'
import { ACCOUNT_LINK_TOKEN, assistant, ID } from '../../../shared/examples.ts'
import { withExample } from '../../lib/with-example.ts'

const tags = ['Assistants']
const LINK = {
  url: `https://host.parley.example/link#${ACCOUNT_LINK_TOKEN}`,
  expires_at: '2026-11-27T12:00:00.000Z',
}
const OneAssistant = withExample(ById, { id: ID.assistant })

export const listAssistants = {
  tags,
  operationId: 'listAssistants',
  summary: 'List the assistants of the room',
  description: '`is_active` is false until the invitation was used. `invited_until` is the end of an open link.',
  response: { 200: withExample(AssistantsAnswer, { success: true, data: { assistants: [assistant] } }) },
} satisfies FastifySchema

export const addAssistant = {
  tags,
  operationId: 'addAssistant',
  summary: 'Add an assistant',
  description:
    'At most 20. The assistant sets a password with the link, once and within 7 days, and signs in with `login_name`. ' +
    'The link is not kept for a repeat of the call: with the same `Idempotency-Key` it gets `conflict`.',
  body: withExample(AddAssistant, { name: 'Zoya Petrova', role: 'moderator' }),
  response: { 200: withExample(AddedAssistantAnswer, { success: true, data: { assistant, ...LINK } }) },
  failures: ['conflict', 'too_many'],
} satisfies FastifySchema

export const editAssistant = {
  tags,
  operationId: 'editAssistant',
  summary: 'Rename an assistant, or change its role',
  description:
    'A changed role ends its sessions with the reason `role_changed`. A changed name changes its `login_name`.',
  params: OneAssistant,
  body: withExample(EditAssistant, { role: 'manager' }),
  response: {
    200: withExample(AssistantAnswer, { success: true, data: { assistant: { ...assistant, role: 'manager' } } }),
  },
  failures: ['conflict'],
} satisfies FastifySchema

export const inviteAssistant = {
  tags,
  operationId: 'inviteAssistant',
  summary: 'Make a new invitation link, or one for a lost password',
  description:
    'Replaces the former link. The present password works until the link is used; with `remove_second_factor`, the ' +
    'second factor is removed then.',
  params: OneAssistant,
  body: withExample(InviteAssistant, { remove_second_factor: false }),
  response: { 200: withExample(AssistantLinkAnswer, { success: true, data: LINK }) },
  failures: ['conflict', 'too_many'],
} satisfies FastifySchema

export const removeAssistant = {
  tags,
  operationId: 'removeAssistant',
  summary: 'Remove an assistant',
  description: 'Ends its sessions and streams at once. The log keeps its name; the name is free for another.',
  params: OneAssistant,
  response: { 200: withExample(Done, { success: true, message: 'Assistant removed' }) },
} satisfies FastifySchema
