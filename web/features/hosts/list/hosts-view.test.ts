import { describe, expect, test } from 'vitest'
import { listedHost } from '../../../../test/factories/listed.ts'
import { countByFilter, filterHosts, HOST_FILTERS, isHostFilter } from '../host-filters.ts'
import {
  applyHostsView,
  INITIAL_HOSTS_VIEW,
  isHostSort,
  readHostsView,
  searchHosts,
  withHostsView,
} from './hosts-view.ts'

const NOW = Date.parse('2026-11-21T12:00:00Z')
const names = (hosts: { username: string }[]) => hosts.map(({ username }) => username)

describe('the address', () => {
  test.each([
    ['', INITIAL_HOSTS_VIEW],
    ['q=ana&page=3', { ...INITIAL_HOSTS_VIEW, words: 'ana', page: 3 }],
    ['sort=subscription', { ...INITIAL_HOSTS_VIEW, sort: 'subscription', descending: false }],
    ['sort=-host&filter=expiring-7', { ...INITIAL_HOSTS_VIEW, sort: 'host', descending: true, filter: 'expiring-7' }],
    ['sort=password&filter=toString&page=-1', INITIAL_HOSTS_VIEW],
    ['page=1.5', INITIAL_HOSTS_VIEW],
  ])('reads %j and ignores invalid parts', (query, view) => {
    expect(readHostsView(new URLSearchParams(query))).toEqual(view)
  })

  test.each(['', 'q=ana&filter=storage&sort=-host&page=3'])('writes %j as it was read', (query) => {
    const params = new URLSearchParams(query)
    expect(withHostsView(params, readHostsView(params)).toString()).toBe(query)
  })

  test('keeps other parameters', () => {
    const params = new URLSearchParams('host=h1&q=ana&page=2')
    expect(withHostsView(params, INITIAL_HOSTS_VIEW).toString()).toBe('host=h1')
  })
})

test.each([
  ['ANA', ['Ana']],
  ['@two.example', ['Ben']],
  ['555', ['Ben']],
  ['  ben ', ['Ben']],
  ['', ['Ana', 'Ben']],
  ['nobody', []],
])('searching for "%s" finds %j', (words, found) => {
  const hosts = [
    listedHost({ username: 'Ana', email: 'a@one.example', mobile: null }),
    listedHost({ username: 'Ben', email: 'b@two.example', mobile: '+91 555 01' }),
  ]
  expect(names(searchHosts(hosts, words))).toEqual(found)
})

describe('each filter finds its hosts', () => {
  const ending = (end: string) => ({ subscription_status: 'active' as const, subscription_end_date: end })
  const hosts = [
    listedHost({ username: 'week', ...ending('2026-11-28T12:00:00.000Z'), is_online: true }),
    listedHost({ username: 'month', ...ending('2026-12-21T12:00:00.000Z'), zoom_status: 'reconnect_needed' }),
    listedHost({
      username: 'later',
      ...ending('2026-12-21T12:00:00.001Z'),
      zoom_status: 'connected',
      zoom_connected: true,
    }),
    listedHost({ username: 'over', subscription_status: 'expired', subscription_end_date: '2026-11-22T00:00:00.000Z' }),
    listedHost({ username: 'off', subscription_status: 'cancelled', is_active: false }),
    listedHost({ username: 'none', subscription_status: 'none', subscription_end_date: null }),
    listedHost({ username: 'full', storage_limit_gb: 10, storage_used_gb: 9.001 }),
    listedHost({ username: 'nearly', storage_limit_gb: 10, storage_used_gb: 9 }),
  ]
  const all = names(hosts)
  test.each([
    ['all', all],
    ['active', all.filter((name) => !['over', 'off', 'none'].includes(name))],
    ['online', ['week']],
    ['zoom-connected', ['later']],
    ['expiring-7', ['week']],
    ['expiring-30', ['week', 'month']],
    ['expired', ['over']],
    ['cancelled', ['off']],
    ['no-subscription', ['none']],
    ['not-connected', all.filter((name) => name !== 'month' && name !== 'later')],
    ['reconnect', ['month']],
    ['storage', ['full']],
    ['deleted', []],
  ] as const)('%s', (filter, found) => {
    expect(names(filterHosts(hosts, filter, NOW))).toEqual(found)
    expect(countByFilter(hosts, NOW).get(filter)).toBe(found.length)
  })

  test('and there is no other', () => {
    expect([...countByFilter(hosts, NOW).keys()].sort()).toEqual(Object.keys(HOST_FILTERS).sort())
    expect(isHostFilter('constructor')).toBe(false)
  })
})

describe('sorting', () => {
  const hosts = [
    listedHost({ username: 'b', numerical_id: 1, subscription_end_date: '2027-01-01T00:00:00.000Z' }),
    listedHost({ username: 'A', numerical_id: 2, subscription_end_date: null }),
    listedHost({ username: 'c', numerical_id: 3, subscription_end_date: '2026-01-01T00:00:00.000Z' }),
  ]
  test.each([
    ['host', false, ['A', 'b', 'c']],
    ['host', true, ['c', 'b', 'A']],
    ['subscription', false, ['c', 'b', 'A']],
    ['subscription', true, ['b', 'c', 'A']],
    ['created', true, ['c', 'A', 'b']],
    ['online', false, ['c', 'A', 'b']],
  ] as const)('by %s, descending %s', (sort, descending, sorted) => {
    expect(names(applyHostsView(hosts, { ...INITIAL_HOSTS_VIEW, sort, descending }, NOW))).toEqual(sorted)
  })

  test('leaves the list as it was, and knows no other columns', () => {
    applyHostsView(hosts, { ...INITIAL_HOSTS_VIEW, sort: 'host' }, NOW)
    expect(names(hosts)).toEqual(['b', 'A', 'c'])
    expect(isHostSort('valueOf')).toBe(false)
  })
})
