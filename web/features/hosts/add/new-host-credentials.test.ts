import { expect, test } from 'vitest'
import { newHostCredentialsText } from './new-host-credentials.ts'

test('tells a new host where to sign in, the username, and what its users enter', () => {
  const credentials = { user_id: 'H000012', username: 'asha', password: 'k7 "x"' }
  expect(newHostCredentialsText(credentials, 'http://host.localhost:3000')).toBe(
    'Sign in at: http://host.localhost:3000/login\nUsername: asha\nPassword: k7 "x"\nHost ID: H000012',
  )
})
