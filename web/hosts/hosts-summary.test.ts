import { expect, test } from 'vitest'
import { aHost } from './a-host.ts'
import { hostsSummary, searchHosts } from './hosts-summary.ts'

test('the summary counts each state by itself', () => {
  const hosts = [
    aHost({ is_active: true, is_online: true, zoom_connected: true }),
    aHost({ is_active: true, is_online: false, zoom_connected: false }),
    aHost({ is_active: false, is_online: false, zoom_connected: true }),
  ]
  expect(hostsSummary(hosts)).toEqual({ total: 3, active: 2, online: 1, zoomConnected: 2 })
})

test.each([
  ['ANA', ['Ana']],
  ['@two.example', ['Ben']],
  ['555', ['Ben']],
  ['  ben ', ['Ben']],
  ['', ['Ana', 'Ben']],
  ['nobody', []],
])('searching for "%s" finds %j', (words, names) => {
  const hosts = [
    aHost({ username: 'Ana', email: 'a@one.example', mobile: null }),
    aHost({ username: 'Ben', email: 'b@two.example', mobile: '+91 555 01' }),
  ]
  expect(searchHosts(hosts, words).map(({ username }) => username)).toEqual(names)
})
