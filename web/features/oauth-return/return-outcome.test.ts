import { describe, expect, test } from 'vitest'
import { comesFromZoom, isPopup, returnParams } from './popup-report.ts'
import { errorCode, errorText, nextPageAfterConsent, returnOutcome } from './return-outcome.ts'

const outcomeOf = (query: string) => returnOutcome(new URLSearchParams(query))

describe('outcome of the return from Zoom', () => {
  test.each([
    ['oauth_result=r1&user_email=a@b.co&status=success&popup=true', 'success', 'Zoom connected! You can now continue.'],
    ['oauth_result=r1', 'success', 'Zoom connected! You can now continue.'],
    ['status=integrated&host_id=7&user_email=a@b.co', 'success', 'Zoom integration completed for a@b.co.'],
    ['oauth_status=integrated&host_id=7', 'success', 'Zoom integration completed.'],
    ['status=success', 'success', 'Zoom authentication successful.'],
    ['oauth_status=success&oauth_email=a@b.co', 'success', 'Zoom authentication successful for a@b.co.'],
    ['access_token=t&user_email=a@b.co', 'success', 'Zoom authentication successful for a@b.co.'],
    ['oauth_token=t&oauth_email=a@b.co', 'success', 'Zoom authentication successful for a@b.co.'],
    ['access_token=t', 'error', 'Invalid OAuth callback parameters'],
    ['status=integrated', 'error', 'Invalid OAuth callback parameters'],
    ['status=failed&user_email=a@b.co', 'error', 'Invalid OAuth callback parameters'],
    ['', 'error', 'Invalid OAuth callback parameters'],
  ])('%s is a %s: %s', (query, kind, text) => {
    expect(outcomeOf(query)).toMatchObject({ kind, text })
  })

  test('reports the id of the result to the opener, never a token', () => {
    expect(outcomeOf('oauth_result=r1&user_email=a@b.co&access_token=secret').message).toEqual({
      type: 'ZOOM_OAUTH_SUCCESS',
      data: { status: 'integrated', oauth_result_id: 'r1', user_email: 'a@b.co' },
    })
    expect(outcomeOf('').message).toEqual({
      type: 'ZOOM_OAUTH_ERROR',
      data: { error: 'invalid_parameters', error_message: 'Invalid OAuth callback parameters' },
    })
  })

  test.each([
    [
      'oauth_result=r1&user_email=a@b.co',
      '/master/hosts/add?modal=add-host&oauth_email=a%40b.co&oauth_status=integrated&oauth_result_id=r1',
    ],
    ['status=integrated&host_id=7&user_email=a@b.co', '/master/dashboard?oauth_email=a%40b.co&oauth_status=integrated'],
  ])('a full page redirects from %s to %s', (query, path) => {
    const outcome = outcomeOf(query)
    expect(outcome.kind === 'success' && nextPageAfterConsent('http://m', outcome)).toBe(`http://m${path}`)
  })
})

test.each([
  ['error=access_denied', 'Zoom access was denied. Please try again and ensure you grant the necessary permissions.'],
  [
    'error=access_denied&error_description=Call+me',
    'Zoom access was denied. Please try again and ensure you grant the necessary permissions.',
  ],
  [
    'error=email_mismatch&error_description=Call+me',
    'The Zoom account email does not match the expected email address. Please ensure you are using the correct Zoom account.',
  ],
  ['error=invalid_request', 'Invalid OAuth request. Please try again or contact support if the issue persists.'],
  ['error=server_error', 'A server error occurred during authentication. Please try again later.'],
  [
    'error=odd&error_description=Your+account+is+locked',
    'An unexpected error occurred during Zoom integration. Please try again.',
  ],
  [
    'error=already_connected&error_description=Call+us',
    'This Zoom account is connected to another host already. Disconnect it there, or choose another account.',
  ],
  ['error=odd', 'An unexpected error occurred during Zoom integration. Please try again.'],
  ['', 'An unexpected error occurred during Zoom integration. Please try again.'],
])('the error page says for %s: %s', (query, text) => {
  expect(errorText(new URLSearchParams(query))).toBe(text)
})

test.each([
  ['access_denied', 'access_denied'],
  ['invalid_scope', 'invalid_scope'],
  ['your_account_is_locked', 'unknown'],
  ['toString', 'unknown'],
  ['call +1 555 0100 now', 'unknown'],
  ['', 'unknown'],
])('the code %j is shown as %s', (given, shown) => {
  expect(errorCode(new URLSearchParams({ error: given }))).toBe(shown)
})

test('parameters are read from the query and from the hash, the query first', () => {
  const params = returnParams({ search: '?status=success', hash: '#status=failed&user_email=a@b.co' })
  expect([params.get('status'), params.get('user_email')]).toEqual(['success', 'a@b.co'])
})

describe('whether the page is the popup', () => {
  const page = { name: '', opener: null, location: { pathname: '/oauth-success', search: '', hash: '' } }
  test.each([
    ['nothing says so', page, false],
    ['the address says so', { ...page, location: { ...page.location, search: '?popup=true' } }, true],
    ['the hash says so', { ...page, location: { ...page.location, hash: '#popup=true' } }, true],
    ['it has an opener', { ...page, opener: {} }, true],
    ['it bears the name', { ...page, name: 'zoom_oauth' }, true],
  ])('%s', (_clue, clues, expected) => {
    expect(isPopup(clues)).toBe(expected)
  })

  test.each([
    ['https://zoom.us/oauth', true],
    ['https://zoom.us.evil/', false],
    ['', false],
  ])('a page whose referrer is "%s" comes from Zoom: %s', (referrer, expected) => {
    expect(comesFromZoom({ ...page, document: { referrer } }, 'https://zoom.us')).toBe(expected)
  })
})
