import { expect, test } from 'vitest'
import type { AuditEntry } from '../../../shared/audit.ts'
import { auditSentenceText } from './audit-sentence.ts'
import { foldEntries } from './fold-entries.ts'

function entry(action: string, rest: Partial<AuditEntry> = {}): AuditEntry {
  const actor = { role: 'host', id: 'h1', name: null } as const
  const nothing = { target: null, ip: null, before: null, after: null, times: 1 }
  return { id: '1', at: '2026-11-20T12:00:00Z', actor, host_id: 'h1', host_name: 'ana', action, ...nothing, ...rest }
}
const batch = (import_id: string, ...names: string[]) =>
  entry('user_created', { after: { import_id, users: names.map((username) => ({ id: username, username })) } })
const of = (action: string, name: string, rest: Partial<AuditEntry> = {}) =>
  entry(action, { target: { id: name, name }, ...rest })
const lines = (...entries: AuditEntry[]) =>
  foldEntries(entries).map(({ entry, users }) => [auditSentenceText(entry), users.map(({ name }) => name)])

test('the calls of one import are one line, and two imports are two', () => {
  expect(lines(batch('b', 'Eli', 'Fay'), batch('a', 'Chi', 'Dev'), batch('a', 'Ana', 'Bea'))).toEqual([
    ['You added 2 users (import)', ['Eli', 'Fay']],
    ['You added 4 users (import)', ['Ana', 'Bea', 'Chi', 'Dev']],
  ])
})

test('a long list that is signed out in several calls is one line, except for users that are not listed', () => {
  const call = (name: string, users_unchanged?: number) =>
    entry('user_logout', { before: { users: [{ id: name }] }, after: { ...(users_unchanged && { users_unchanged }) } })
  const beyond = entry('user_logout', { after: { users_changed: 500 } })
  expect(lines(beyond, beyond, beyond, call('c', 2), call('b'), call('a', 3)).map(([words]) => words)).toEqual([
    ...Array(3).fill('You signed 500 users out (not listed)'),
    'You signed 3 users out (5 unchanged)',
  ])
})

test('an import whose users are not all in the page counts those, too', () => {
  const calls = [batch('a', 'Chi'), batch('a', 'Ana', 'Bea')].map((call) => ({ ...call, users_left_out: 400 }))
  const [line] = foldEntries(calls)
  expect(line).toMatchObject({
    entry: { users_left_out: 800 },
    users: [{ name: 'Ana' }, { name: 'Bea' }, { name: 'Chi' }],
  })
  expect(lines(...calls)).toEqual([['You added 803 users (import)', ['Ana', 'Bea', 'Chi']]])
})

test('the last call of an import may have added one user', () => {
  const last = of('user_created', 'Chi', { after: { import_id: 'a', username: 'Chi' } })
  expect(lines(last, batch('a', 'Ana', 'Bea'))).toEqual([['You added 3 users (import)', ['Ana', 'Bea', 'Chi']]])
})

test('the same act on one user after the other is one line, but not when something else happened in between', () => {
  const shown = ['Ana', 'Bea', 'Chi'].map((name) => of('user_credentials_revealed', name))
  expect(lines(...shown, entry('mute_all'), ...shown.slice(1))).toEqual([
    ['You read the credentials of 3 users', ['Chi', 'Bea', 'Ana']],
    ['You muted everyone', []],
    ['You read the credentials of Bea', []],
    ['You read the credentials of Chi', []],
  ])
})

test('the same act on one user again and again is counted, and names the user', () => {
  const made = ['Ana', 'Bea', 'Ana'].map((name) => of('sign_in_link_made', name))
  expect(lines(...made, entry('mute_all'), ...Array(4).fill(of('sign_in_link_made', 'Ana')))).toEqual([
    ['You made a link that signs 2 users in', ['Ana', 'Bea']],
    ['You muted everyone', []],
    ['You made a link that signs Ana in (4 times)', []],
  ])
})

test('acts of different callers, or for different purposes, stand apart', () => {
  const master = { actor: { role: 'master', id: null, name: null } } as const
  const reads = (rest: Partial<AuditEntry> = {}) =>
    ['Ana', 'Bea', 'Chi'].map((name) => of('user_credentials_revealed', name, rest))
  const entries = [...reads({ after: { purpose: 'cards' } }), ...reads(), ...reads(master)]
  expect(lines(...entries).map(([words]) => words)).toEqual([
    'You opened the sign-in cards of 3 users',
    'You read the credentials of 3 users',
    'An administrator read the credentials of 3 users',
  ])
})
