import { expect, test } from 'vitest'
import { readReturnQuery, withoutReturnQuery } from './return-query.ts'

const read = (query: string) => readReturnQuery(new URLSearchParams(query))

test.each([
  [
    'oauth_status=error&error=email_mismatch&expected_email=a@b.co&actual_email=c@d.co',
    'Email mismatch: Expected a@b.co, but got c@d.co from Zoom.',
  ],
  ['oauth_status=error&error=email_mismatch', 'OAuth integration failed.'],
  ['oauth_status=error&error=oauth_failed&message=No+luck', 'OAuth failed: No luck'],
  ['oauth_status=error&error=oauth_failed', 'OAuth integration failed.'],
  ['oauth_status=error', 'OAuth integration failed.'],
])('%s is told as: %s', (query, text) => {
  expect(read(query).notice).toEqual({ tone: 'bad', text })
})

test('a result in the address opens the form with its e-mail', () => {
  expect(read('modal=add-host&oauth_result_id=r1&oauth_status=success&user_email=a@b.co')).toEqual({
    opensAddHost: true,
    resultId: 'r1',
    email: 'a@b.co',
    notice: null,
  })
})

test('what was read leaves the address, and nothing else does', () => {
  const params = new URLSearchParams(
    'modal=add-host&q=ben&oauth_result_id=r1&access_token=t&error_description=x&page=2',
  )
  expect(withoutReturnQuery(params).toString()).toBe('q=ben&page=2')
})
