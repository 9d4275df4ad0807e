import { expect, test } from 'vitest'
import { newHostCredentialsText } from './new-host-credentials.ts'

test('a new host is told where to sign in, as whom, and what its people type', () => {
  const credentials = { user_id: 'H000012', username: 'asha', password: 'k7 "x"' }
  expect(newHostCredentialsText(credentials, 'http://host.localhost:3000')).toBe(
    'Login: http://host.localhost:3000/login\nUsername: asha\nPassword: k7 "x"\nHost ID: H000012',
  )
})
