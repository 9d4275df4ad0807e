import type { FastifySchema } from 'fastify'
import { z } from 'zod'
import { ById, Done } from '../../../shared/envelope.ts'
import { host, ID, newHost, OAUTH_RESULT, PASSWORD } from '../../../shared/examples.ts'
import {
  EditHost,
  HostAnswer,
  HostDetailsAnswer,
  HostProfileAction,
  HostsAnswer,
  IntegrateHost,
} from '../../../shared/hosts.ts'
import { jsonFileAnswer } from '../../lib/json-file-answer.ts'
import { withExample } from '../../lib/with-example.ts'

const HostsQuery = z.object({
  deleted: z.stringbool().default(false).describe('True lists the deleted hosts that can still be restored.'),
})
const tags = ['Hosts']
const HostId = withExample(ById, { id: ID.host })
const DeletedHostId = withExample(ById, { id: ID.deletedHost })

export const listHosts = {
  tags,
  operationId: 'listHosts',
  summary: 'List all hosts',
  querystring: withExample(HostsQuery, { deleted: 'false' }),
  response: { 200: withExample(HostsAnswer, { success: true, data: { hosts: [host] } }) },
} satisfies FastifySchema

export const getHost = {
  tags,
  operationId: 'getHost',
  summary: 'Get one host',
  params: HostId,
  response: { 200: withExample(HostDetailsAnswer, { success: true, data: { ...host, assistant_count: 1 } }) },
} satisfies FastifySchema

export const addHost = {
  tags,
  operationId: 'addHost',
  summary: 'Create a host with its room',
  description:
    'Names are compared without regard to case and Unicode form. A blank `room_name` becomes `ROOM-` and the ' +
    "host's number. `oauth_result_id` connects the Zoom account that consented; it can be claimed once, by the " +
    'master who began it, for the same e-mail. `zoom_oauth_data` is accepted and ignored.',
  body: withExample(IntegrateHost, {
    email: newHost.email,
    password: PASSWORD,
    username: newHost.username,
    room_name: newHost.room_name,
    recording_enabled: true,
    mobile: newHost.mobile,
    storage_limit_gb: 5,
    subscription_type: 12,
    oauth_result_id: OAUTH_RESULT,
  }),
  response: {
    200: withExample(HostAnswer, {
      success: true,
      message: 'Host account integrated successfully!',
      data: newHost,
    }),
  },
  failures: ['conflict', 'not_found', 'too_many', 'busy'],
} satisfies FastifySchema

export const editHost = {
  tags,
  operationId: 'editHost',
  summary: 'Edit a host',
  description:
    'Only the given fields change. A blank password keeps the current one; a new password ends all earlier ' +
    'sessions. An empty `zoom_user_email` revokes the Zoom grant. An end date without a time means its last second ' +
    'in UTC; `subscription_action` and `subscription_months` record in the history where the dates came from. ' +
    'With `expect`, nothing is saved if someone has changed the host since. Of a host with assistants that is renamed, ' +
    '`message` says under which names they sign in now.',
  params: HostId,
  body: withExample(EditHost, {
    username: host.username,
    email: host.email,
    mobile: host.mobile,
    storage_limit_gb: 10,
    zoom_user_email: host.zoom_user_email,
    password: '',
    subscription_start_date: '2026-03-01',
    subscription_end_date: '2027-03-01',
    subscription_status: 'active',
    subscription_action: 'extend',
    subscription_months: 12,
    room_name: host.room_name,
    recording_enabled: true,
  }),
  response: {
    200: withExample(HostAnswer, {
      success: true,
      message: 'Host updated successfully',
      data: { ...host, storage_limit_gb: 10 },
    }),
  },
  failures: ['conflict', 'state_changed', 'too_many', 'busy'],
} satisfies FastifySchema

export const actOnHostProfile = {
  tags,
  operationId: 'actOnHostProfile',
  summary: "Stop or activate a host's room, or sign out the host's phone",
  description:
    '`stop` signs out every phone of the room and refuses new ones, `activate` reverses it. `change-phone` clears ' +
    "the device binding of the host's own phone and signs it out, `logout` only signs it out.",
  params: withExample(HostProfileAction, { id: ID.host, action: 'stop' }),
  response: {
    200: withExample(HostAnswer, {
      success: true,
      message: 'The room of "stmary" is stopped. Its phones cannot sign in until it is activated.',
      data: host,
    }),
  },
  failures: ['busy'],
} satisfies FastifySchema

export const deleteHost = {
  tags,
  operationId: 'deleteHost',
  summary: 'Delete a host',
  description:
    'Ends its sessions and signs out its phones at once, revokes its Zoom grant and frees its names. Its data is ' +
    'kept for 30 days.',
  params: HostId,
  response: {
    200: withExample(Done, {
      success: true,
      message:
        'Host "stmary" deleted successfully. All associated data has been removed. It can be restored for 30 days.',
    }),
  },
} satisfies FastifySchema

export const restoreHost = {
  tags,
  operationId: 'restoreHost',
  summary: 'Restore a deleted host',
  description:
    'Within 30 days of the deletion. Its users have to sign in again, and Zoom has to be connected again. Refused ' +
    'if one of its names has been taken since; `errors` says which.',
  params: DeletedHostId,
  response: {
    200: withExample(HostAnswer, {
      success: true,
      message: 'Host "stmary" restored. Zoom has to be connected again.',
      data: host,
    }),
  },
  failures: ['conflict'],
} satisfies FastifySchema

export const exportHost = {
  tags,
  operationId: 'exportHost',
  summary: "Export the data of a host's account",
  description:
    'A JSON file: the account without its password, the texts of its app, its subscription history, and the audit rows ' +
    'about and by it. Nothing about the users of its room. Needs a confirmation; a master may get 20 files a minute.',
  params: HostId,
  response: jsonFileAnswer({
    account: { id: ID.host, username: host.username, email: host.email },
    app_info: null,
    subscription_changes: [],
    audit: [],
  }),
} satisfies FastifySchema

export const purgeHost = {
  tags,
  operationId: 'purgeHost',
  summary: 'Remove the data of a deleted host now',
  description: 'For erasure requests; otherwise the data is removed 30 days after the deletion. This cannot be undone.',
  params: DeletedHostId,
  response: {
    200: withExample(Done, {
      success: true,
      message: 'The data of this host has been removed for good.',
    }),
  },
  failures: ['conflict'],
} satisfies FastifySchema
