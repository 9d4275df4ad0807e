import { expect, test } from 'vitest'
import { listedUser } from '../../../test/factories/listed.ts'
import { appsOf, countUsers, USER_FILTERS, userFilter, versionsOf } from './user-filters.ts'

const users = [
  listedUser('a', { login_time: '2026-11-20T10:00:00.000Z', app_version: '2.10.0' }),
  listedUser('b', { is_online: false, login_time: '2026-11-20T10:00:00.000Z', app_version: '2.9.3' }),
  listedUser('c', { is_active: false, is_muted: true }),
  listedUser('d', { is_active: false, is_online: false, app_version: '2.10' }),
]
const apps = appsOf(versionsOf(users))
const links = new Set(['b'])

test('a stopped user who is still online counts as online and as inactive', () => {
  expect(countUsers(users, apps, links)).toEqual({
    total: 4,
    online: 2,
    inactive: 2,
    muted: 1,
    'never-signed-in': 2,
    'open-link': 1,
    'older-app': 2,
  })
})

test('each filter shows the users it counts', () => {
  const shown = USER_FILTERS.map((filter) => users.filter(userFilter(filter, apps, links)).map(({ id }) => id))
  expect(shown).toEqual([['a', 'b', 'c', 'd'], ['a', 'c'], ['c', 'd'], ['c'], ['c', 'd'], ['b'], ['b', 'd']])
})

test('no app is old where none is known', () => {
  expect(appsOf([])).toEqual({ newest: null, older: new Set() })
})
