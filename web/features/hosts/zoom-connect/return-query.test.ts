import { describe, expect, test } from 'vitest'
import { opensOnHostManagement, opensOnHostMaster, readReturnQuery, withoutReturnQuery } from './return-query.ts'

const read = (query: string) => readReturnQuery(new URLSearchParams(query), opensOnHostManagement)

test.each([
  [
    'oauth_status=error&error=email_mismatch&expected_email=a@b.co&actual_email=c@d.co',
    'Email mismatch: Expected a@b.co, but got c@d.co from Zoom.',
  ],
  ['oauth_status=error&error=email_mismatch', 'OAuth integration failed.'],
  ['oauth_status=error&error=oauth_failed&message=No+luck', 'OAuth failed: No luck'],
  ['oauth_status=error&error=oauth_failed', 'OAuth integration failed.'],
  ['oauth_status=error', 'OAuth integration failed.'],
])('%s shows: %s', (query, text) => {
  expect(read(query).notice).toEqual({ tone: 'bad', text })
})

describe('Add New Host opens', () => {
  test.each([
    ['modal=add-host', true, false],
    ['modal=add-host&oauth_status=success', true, true],
    ['modal=add-host&oauth_status=error', true, true],
    ['modal=add-host&oauth_result=r', true, true],
    ['oauth_result=r', false, true],
    ['oauth_result_id=r', false, true],
    ['oauth_status=success&user_email=a@b.co&access_token=t', false, true],
    ['oauth_status=success&user_email=a@b.co', false, false],
    ['oauth_status=error&user_email=a@b.co&access_token=t', false, false],
    ['modal=edit-host', false, false],
    ['', false, false],
  ])('with %s on Host Management: %s, on Host Master: %s', (query, onManagement, onMaster) => {
    const params = new URLSearchParams(query)
    expect([opensOnHostManagement(params), opensOnHostMaster(params)]).toEqual([onManagement, onMaster])
  })
})

test.each([
  ['oauth_status=success', 'Zoom integration successful! You can now create the host account.'],
  ['oauth_status=integrated', 'Zoom account already integrated! You can create the host account.'],
  ['', 'Zoom connected! You can now create the host account.'],
])('a result with %j in the address is, once confirmed: %s', (query, connected) => {
  expect(read(`modal=add-host&oauth_result_id=r1&user_email=a@b.co&${query}`)).toEqual({
    opensAddHost: true,
    resultId: 'r1',
    email: 'a@b.co',
    connected,
    notice: null,
  })
})

test('without a result nothing counts as connected, whatever the address says', () => {
  const notice = { tone: 'warn', text: 'Zoom was not confirmed. Please connect it here again.' }
  expect(read('modal=add-host&oauth_email=a@b.co&oauth_status=integrated')).toMatchObject({ email: 'a@b.co', notice })
  expect(read('modal=add-host&oauth_status=success&user_email=a@b.co&access_token=t')).toMatchObject({ notice })
})

test('reports a connected host where no form opens', () => {
  const text = 'Zoom integration completed for a@b.co.'
  expect(read('oauth_email=a@b.co&oauth_status=integrated')).toMatchObject({
    opensAddHost: false,
    notice: { tone: 'good', text },
  })
})

test('removes only its own parameters from the address', () => {
  const params = new URLSearchParams(
    'modal=add-host&q=ben&oauth_result_id=r1&access_token=t&host_id=h1&error_description=x&page=2&host=h2',
  )
  expect(withoutReturnQuery(params).toString()).toBe('q=ben&page=2&host=h2')
})
