import { expect, test } from 'vitest'
import { parseSite, signInPath } from './site.ts'

const page = (address: string) => new URL(address)

test('the site is the one that the server named', () => {
  const said = { ...parseSite(null, page('http://localhost:3000/')), site: 'master', demo_zoom: true }
  expect(parseSite(JSON.stringify(said), page('http://localhost:3000/'))).toEqual(said)
})

test.each([
  ['http://localhost:5173/', 'public', 'http://host.localhost:5173', 'http://master.localhost:5173'],
  ['http://host.localhost:5173/login', 'host', 'http://host.localhost:5173', 'http://master.localhost:5173'],
  ['http://master.localhost:5173/', 'master', 'http://host.localhost:5173', 'http://master.localhost:5173'],
])("without the server's data, %s is the %s site", (address, site, host_url, master_url) => {
  const guessed = parseSite(null, page(address))
  expect(guessed).toMatchObject({ site, host_url, master_url, public_url: 'http://localhost:5173' })
  expect(guessed.phone_url).toBe('http://phone.localhost:5173')
})

test('ignores data of another shape', () => {
  expect(parseSite('{"site":"elsewhere"}', page('http://host.localhost/')).site).toBe('host')
})

test('each site has its own way to sign in', () => {
  expect([signInPath('master'), signInPath('host'), signInPath('public')]).toEqual(['/master-login', '/login', '/'])
})
