import { describe, expect, test } from 'vitest'
import { credentialsText } from './credentials-text.ts'

describe('the text of credentials', () => {
  const credentials = { host_id: 'H000001', user_id: 'U000017', username: 'Asha', password: 'k7 "x"' }

  test('has the labels of the phone app, and what to do', () => {
    expect(credentialsText(credentials, 'Evening circle', 'https://play.example/parley').split('\n')).toEqual([
      'How to sign in to “Evening circle”',
      '',
      '1. Open this link on your phone: http://phone.localhost/?host=H000001',
      '   Or get the Parley app: https://play.example/parley',
      '2. Sign in with:',
      '',
      'Host ID: H000001',
      'Username: Asha',
      'Password: k7 "x"',
      'User ID: U000017',
      '',
      '3. Tap Join, then Join Audio.',
      '',
      'The first phone you use becomes your phone. If you get a new phone, tell me and I’ll switch it over.',
    ])
  })

  test('leaves the store out where no app is in it', () => {
    expect(credentialsText(credentials, 'Evening circle', '')).not.toContain('get the Parley app')
  })
})
