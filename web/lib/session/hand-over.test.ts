import { expect, test, vi } from 'vitest'
import { readMasterClaims, takeTokenFromAddress } from './hand-over.ts'

const token = (claims: object) => `${btoa('{"alg":"none"}')}.${btoa(JSON.stringify(claims))}.`

function take(address: string, isTaken = true) {
  const replaceState = vi.fn()
  const taken = takeTokenFromAddress(new URL(address), { state: null, replaceState }, isTaken)
  return { taken, left: replaceState.mock.calls.map(([, , url]) => String(url)) }
}

test.each([
  ['http://m/master?auth_token=a.b-c_d&x=1#y', 'a.b-c_d', ['http://m/master?x=1#y']],
  ['http://m/master?auth_token=', null, ['http://m/master']],
  ['http://m/master?auth_token=a%0Ab', null, ['http://m/master']],
  ['http://m/master?auth_token=one&auth_token=two', 'one', ['http://m/master']],
  ['http://m/master?x=1', null, []],
])('from %s takes the token %s', (address, taken, left) => {
  expect(take(address)).toEqual({ taken, left })
})

test('only removes a token where none is accepted', () => {
  expect(take('http://m/oauth-success?auth_token=abc', false)).toEqual({
    taken: null,
    left: ['http://m/oauth-success'],
  })
})

test.each([
  [token({ adminId: 'm1', role: 'master' }), 'm1'],
  [token({ adminId: 'm1', role: 'host' }), null],
  [token({ adminId: 'm1' }), null],
  [token({ role: 'master' }), null],
  [token({ adminId: '', role: 'master' }), null],
  [token({ hostId: 'h1', role: 'host' }), null],
  ['rubbish', null],
  ['', null],
])('a token %s names the master %s', (text, expected) => {
  expect(readMasterClaims(text)?.id ?? null).toBe(expected)
})
