import type { Calls } from '../call.ts'
import { done, host } from '../examples.ts'

export const hostCalls: Calls = {
  'GET /admin/hosts': {
    tag: 'Hosts',
    name: 'listHosts',
    summary: 'List all hosts',
    parameters: {
      deleted: { example: 'false', description: 'True lists the deleted ones that can still be restored.' },
    },
    answer: { success: true, data: { hosts: [host] } },
  },
  'GET /admin/hosts/:id': {
    tag: 'Hosts',
    name: 'getHost',
    summary: 'Read one host',
    answer: { success: true, data: host },
  },
  'POST /admin/hosts/integrate': {
    tag: 'Hosts',
    name: 'addHost',
    summary: 'Make a host with its room',
    description:
      'Names are compared whatever their case and Unicode form. A blank `room_name` becomes `ROOM-` and the number of ' +
      'the host. `oauth_result_id` connects the Zoom account that was consented to; it can be claimed once, by the ' +
      'master who began it, for the same e-mail. `zoom_oauth_data` is accepted and not believed.',
    body: {
      email: host.email,
      password: 'correct horse battery',
      username: host.username,
      room_name: host.room_name,
      recording_enabled: true,
      mobile: host.mobile,
      storage_limit_gb: 5,
      subscription_type: 12,
      oauth_result_id: 'Kq3v0yQm1cJt8bXn5rWz2A',
    },
    answer: { ...done('Host account integrated successfully!'), data: host },
    failures: ['conflict', 'not_found', 'too_many', 'busy'],
  },
  'PUT /admin/hosts/:id': {
    tag: 'Hosts',
    name: 'editHost',
    summary: 'Edit a host',
    description:
      'Only the fields that are given change. A blank password keeps the present one; a new one ends the sessions ' +
      'that are older. An empty `zoom_user_email` revokes the Zoom grant. A bare day as end date means its last second ' +
      'in UTC; `subscription_action` and `subscription_months` say in the history what it came from. With `expect` ' +
      'nothing is saved when somebody changed the host since.',
    body: {
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
    },
    answer: { ...done('Host updated successfully'), data: { ...host, storage_limit_gb: 10 } },
    failures: ['conflict', 'state_changed', 'too_many', 'busy'],
  },
  'POST /admin/hosts/:id/profile/:action': {
    tag: 'Hosts',
    name: 'actOnHostProfile',
    summary: "Stop or activate a host's room, or sign its own phone out",
    description:
      '`stop` signs every phone of the room out and refuses new ones, `activate` reverses it. `change-phone` clears ' +
      "the binding of the host's own phone and signs it out, `logout` only signs it out.",
    parameters: { action: { example: 'stop' } },
    answer: {
      ...done('The room of "stmary" is stopped. Its phones cannot sign in until it is activated.'),
      data: host,
    },
    failures: ['busy'],
  },
  'DELETE /admin/hosts/:id': {
    tag: 'Hosts',
    name: 'deleteHost',
    summary: 'Delete a host',
    description:
      'Ends its sessions and phones at once, revokes its Zoom grant and frees its names. Its data is kept for 30 days.',
    answer: done('Host "stmary" deleted successfully. All associated data has been removed.'),
  },
  'POST /admin/hosts/:id/restore': {
    tag: 'Hosts',
    name: 'restoreHost',
    summary: 'Take a deletion back',
    description:
      'Within 30 days of the deletion. Its people sign in again, and Zoom has to be connected again. Refused when one ' +
      'of its names was taken meanwhile; `errors` says which.',
    answer: { ...done('Host "stmary" restored. Zoom has to be connected again.'), data: host },
    failures: ['conflict'],
  },
  'POST /admin/hosts/:id/purge': {
    tag: 'Hosts',
    name: 'purgeHost',
    summary: 'Remove the data of a deleted host now',
    description: 'For a request to delete; otherwise it happens by itself after 30 days. It cannot be taken back.',
    answer: done('The data of this host has been removed for good.'),
    failures: ['conflict'],
  },
}
