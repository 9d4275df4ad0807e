import { describe, expect, test } from 'vitest'
import type { AuditEntry } from '../../../shared/audit.ts'
import { auditSentence, auditSentenceText } from './audit-sentence.ts'

const HOST = 'h1'
const ravi = { id: 'u1', name: 'Ravi' }
const roles = { host: 'host', master: 'master', phone: 'phone', system: 'system', nobody: 'nobody' } as const

function entry(role: keyof typeof roles, action: string, rest: Partial<AuditEntry> = {}): AuditEntry {
  const actor = { role: roles[role], id: null, name: null }
  const nothing = { target: null, ip: null, before: null, after: null, times: 1 }
  return { id: '1', at: '2026-11-20T12:00:00Z', actor, host_id: HOST, host_name: 'ana', action, ...nothing, ...rest }
}

describe('an entry of the audit reads', () => {
  test.each([
    [entry('host', 'user_mute', { target: ravi }), 'You muted Ravi'],
    [entry('phone', 'phone_login', { target: ravi }), 'Phone of Ravi signed in'],
    [entry('phone', 'phone_login', { target: { id: HOST, name: 'ana' } }), 'Your phone signed in'],
    [
      entry('phone', 'phone_login_refused', { target: ravi, after: { code: 'device_mismatch' } }),
      'Ravi tried to sign in from a different phone; refused',
    ],
    [entry('nobody', 'phone_login_failed'), 'A phone failed to sign in with an unknown username'],
    [
      entry('nobody', 'phone_login_failed', { times: 12 }),
      'A phone failed to sign in with an unknown username (12 times)',
    ],
    [entry('nobody', 'phone_login_failed', { target: ravi, times: 2 }), 'Phone of Ravi failed to sign in (2 times)'],
    [
      entry('system', 'sign_in_refusals_capped'),
      'So many sign-ins or calls were refused that no more of them are listed until midnight UTC',
    ],
    [entry('phone', 'phone_login', { target: ravi, after: { link: true } }), 'Phone of Ravi signed in with a link'],
    [
      entry('nobody', 'phone_login_failed', { after: { link: true } }),
      'A phone failed to sign in with a link that is no longer valid',
    ],
    [entry('host', 'sign_in_link_made', { target: ravi }), 'You made a link that signs Ravi in'],
    [entry('host', 'sign_in_link_revoked', { target: ravi }), 'You revoked the link that signs Ravi in'],
    [
      entry('master', 'subscription_extended', {
        after: { subscription_type: 3, subscription_end_date: '2027-12-22T10:00:00Z' },
      }),
      'An administrator extended the subscription by 3 months, until 22 Dec 2027',
    ],
    [
      entry('host', 'user_edited', { target: ravi, after: { user_id: 'U2', password: true } }),
      'You edited Ravi: user ID, password',
    ],
    [entry('host', 'user_unmute', { before: { users: [{ id: 'u1' }, { id: 'u2' }] } }), 'You unmuted 2 users'],
    [
      entry('host', 'user_logout', { before: { users: [] }, after: { users_unchanged: 3 } }),
      'You signed 0 users out (3 unchanged)',
    ],
    [
      entry('host', 'user_mute', { after: { is_muted: true, users_changed: 1, users_unchanged: 1_499 } }),
      'You muted 1 user (not listed, 1,499 unchanged)',
    ],
    [entry('host', 'user_created', { after: { users: [{ id: 'u1' }, { id: 'u2' }] } }), 'You added 2 users (import)'],
    [
      entry('host', 'user_created', { after: { users: [{ id: 'u1' }, { id: 'u2' }] }, users_left_out: 498 }),
      'You added 500 users (import)',
    ],
    [entry('host', 'user_created', { after: { users_changed: 500 } }), 'You added 500 users (import) (not listed)'],
    [
      entry('host', 'user_delete', { target: { id: 'u1', name: null }, before: { username: 'Ravi' } }),
      'You deleted Ravi',
    ],
    [entry('host', 'user_mute', { target: { id: 'u1', name: null } }), 'You muted a deleted user'],
    [
      entry('host', 'word_sent', { after: { to: 'room', text: 'We begin soon', rings: true, asks: false } }),
      'You sent a word to the room: “We begin soon”',
    ],
    [
      entry('host', 'word_sent', { target: ravi, after: { to: 'user', text: 'Hello {user}, speak up' } }),
      'You sent a word to Ravi: “Hello {\u2060user}, speak up”',
    ],
    [
      entry('host', 'word_taken_back', { target: ravi, before: { text: 'Hello' }, after: { to: 'user', read: 0 } }),
      'You took back a word to Ravi: “Hello”',
    ],
    [entry('host', 'word_sent', { target: { id: 'u1', name: null } }), 'You sent a word to a deleted user'],
    [entry('system', 'passcode_changed'), 'Parley changed the meeting passcode'],
    [entry('host', 'something_new'), 'Something new'],
  ])('%#', (one, words) => {
    expect(auditSentenceText(one)).toBe(words)
  })

  test('with the user apart, for a link', () => {
    expect(auditSentence(entry('host', 'user_logout', { target: ravi }))).toEqual({
      before: 'You signed ',
      user: ravi,
      after: ' out',
    })
  })

  test('with a name that looks like a placeholder as it is', () => {
    const odd = entry('host', 'user_mute', { target: { id: 'u1', name: '{user}' } })
    expect(auditSentenceText(odd)).toBe('You muted {user}')
  })
})
