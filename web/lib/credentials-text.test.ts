import { describe, expect, test } from 'vitest'
import { credentialsText } from './credentials-text.ts'

describe('the text of credentials', () => {
  const credentials = { host_id: 'H000001', user_id: 'U000017', username: 'Asha', password: 'k7 "x"' }

  test('has the labels of the phone app, and what to do', () => {
    expect(credentialsText(credentials, 'Evening circle', 'https://play.example/parley').split('\n')).toEqual([
      'How to sign in to “Evening circle”',
      '',
      'Get the Parley app: https://play.example/parley',
      'Then sign in with:',
      '',
      'Host ID: H000001',
      'Username: Asha',
      'Password: k7 "x"',
      'User ID: U000017',
      '',
      'It works on one phone: the first one that you sign in on. If you get a new phone, tell me and I’ll switch it over.',
    ])
  })

  test('leaves the app out without its address', () => {
    expect(credentialsText(credentials, 'Evening circle', '')).not.toContain('app')
  })
})
