import { expect, test } from 'vitest'
import { HostLogin, MasterLogin } from '../../../shared/auth.ts'
import { hostLoginErrors, masterLoginErrors } from './sign-in-rules.ts'

const EMAIL = 'master@parley.example'

test.each([
  [
    { username: '', password: '' },
    { username: 'Username is required', password: 'Password is required' },
  ],
  [{ username: '  ', password: 'x' }, { username: 'Username is required' }],
  [{ username: 'asha', password: '' }, { password: 'Password is required' }],
  [{ username: 'asha', password: ' ' }, {}],
])('a host login of %j has the problems %j', (values, problems) => {
  expect(hostLoginErrors(values)).toEqual(problems)
  expect(HostLogin.safeParse(values).success).toBe(Object.keys(problems).length === 0)
})

test.each([
  [
    { email: '', password: '' },
    { email: 'Email is required', password: 'Password is required' },
  ],
  [{ email: 'master', password: 'long enough' }, { email: 'Invalid email address' }],
  [{ email: 'a@b', password: 'long enough' }, { email: 'Invalid email address' }],
  [{ email: ` ${EMAIL} `, password: 'long enough' }, {}],
  [{ email: EMAIL, password: 'seven77' }, { password: 'Password must be at least 8 characters' }],
  [{ email: EMAIL, password: 'eight888' }, {}],
])('a master login of %j has the problems %j', (values, problems) => {
  expect(masterLoginErrors(values)).toEqual(problems)
})

test.each(['master', 'a@b', 'a b@c.de', '@b.de', EMAIL, 'a.b+c@d-e.example.org'])(
  'the console and the server agree whether %s is an e-mail address',
  (email) => {
    const isGood = masterLoginErrors({ email, password: 'long enough' }).email === undefined
    expect(MasterLogin.safeParse({ email, password: 'long enough' }).success).toBe(isGood)
  },
)
