import { describe, expect, test } from 'vitest'
import { listedUser } from '../../../test/factories/listed.ts'
import { appsOf, versionsOf } from './user-filters.ts'
import { applyUsersView, INITIAL_USERS_VIEW, readUsersView, type UsersView, withUsersView } from './users-view.ts'

describe('the address', () => {
  const views: [address: string, view: Partial<UsersView>][] = [
    ['', {}],
    ['filter=ana+b', { words: 'ana b' }],
    ['group=g1', { group: 'g1' }],
    ['show=open-link', { show: 'open-link' }],
    ['show=older-app', { show: 'older-app' }],
    ['show=never-signed-in&sort=username', { show: 'never-signed-in', sort: 'username' }],
    ['seen-before=2026-11-01&sort=-login', { seenBefore: '2026-11-01', sort: 'login', descending: true }],
  ]
  test.each(views)('%j holds a view', (address, view) => {
    const whole = { ...INITIAL_USERS_VIEW, ...view }
    expect(readUsersView(new URLSearchParams(address))).toEqual(whole)
    expect(withUsersView(new URLSearchParams('user=7'), whole).toString()).toBe(
      `user=7${address === '' ? '' : '&'}${address}`,
    )
  })

  test.each(['show=constructor', 'show=', 'sort=toString', 'seen-before=yesterday', 'seen-before=2026-13-40'])(
    'with %j in it shows everyone',
    (address) => expect(readUsersView(new URLSearchParams(address))).toEqual(INITIAL_USERS_VIEW),
  )
})

describe('the users of a view', () => {
  const at = (day: number, hour = 12) => new Date(2026, 10, day, hour).toISOString()
  const users = [
    listedUser('u10', { username: 'zoë', is_online: false, last_seen: at(3), app_version: '2.9' }),
    listedUser('u9', { username: 'Émile', status: 'S', last_seen: at(1), app_version: '2.10' }),
    listedUser('u1', { username: 'eva', group_ids: ['g1'], is_online: false, last_seen: at(1), reference: 'Row 2' }),
    listedUser('u2', { username: 'علي', is_online: false, reference: 'Row 10' }),
  ]
  const shown = (view: Partial<UsersView>) =>
    applyUsersView(users, { ...INITIAL_USERS_VIEW, ...view }, appsOf(versionsOf(users)), new Set(['u1'])).map(
      ({ id }) => id,
    )

  test.each<[string, Partial<UsersView>, string[]]>([
    ['as they were added', {}, ['u10', 'u9', 'u1', 'u2']],
    ['by user ID, numbers by value', { sort: 'user-id' }, ['u1', 'u2', 'u9', 'u10']],
    ['by name, whatever the case and accents', { sort: 'username' }, ['u9', 'u1', 'u10', 'u2']],
    ['by reference, those without one last', { sort: 'reference' }, ['u1', 'u2', 'u10', 'u9']],
    ['and last the other way round, too', { sort: 'reference', descending: true }, ['u2', 'u1', 'u10', 'u9']],
    ['by version', { sort: 'version' }, ['u10', 'u9', 'u1', 'u2']],
    ['by status, stopped users last', { sort: 'status' }, ['u10', 'u1', 'u2', 'u9']],
    ['who were last seen before a day', { seenBefore: '2026-11-02' }, ['u1']],
    ['who are in a group', { group: 'g1' }, ['u1']],
    ['who have an open link', { show: 'open-link' }, ['u1']],
    ['who have the words, and an older app', { words: 'zo', show: 'older-app' }, ['u10']],
  ])('stand %s', (_how, view, ids) => {
    expect(shown(view)).toEqual(ids)
  })
})
