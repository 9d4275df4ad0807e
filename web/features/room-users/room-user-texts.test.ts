import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { buildRoomUser } from '../../../test/build-room-user.ts'
import { credentialsText } from '../../lib/credentials-text.ts'
import { generatePassword } from '../../lib/generate-password.ts'
import { shortDeviceId } from '../../lib/short-device-id.ts'
import { usersCsv } from '../../lib/users-csv.ts'
import { isCounted, usersSummary } from './user-cards.ts'

test.each([
  ['9f86d081884c7d65', '9f86d081...'],
  ['9F86D081884C7D65', '9F86D081...'],
  ['9f86d081884c7d6', '9f86d081884c7d6'],
  ['9f86d081884c7d651', '9f86d081884c7d651'],
  ['a-phone-of-my-own', 'a-phone-of-my-own'],
])('the device %s shows as %s', (deviceId, shown) => {
  expect(shortDeviceId(deviceId)).toBe(shown)
})

test('the numbers count a stopped user who is still online in both', () => {
  const users = [
    buildRoomUser('a'),
    buildRoomUser('b', { is_online: false }),
    buildRoomUser('c', { is_active: false }),
    buildRoomUser('d', { is_active: false, is_online: false }),
  ]
  expect(usersSummary(users)).toEqual({ total: 4, online: 2, inactive: 2 })
})

test('each number shows those whom it counts', () => {
  const users = [buildRoomUser('a', { is_active: false }), buildRoomUser('b'), buildRoomUser('c', { is_online: false })]
  const shown = (card: 'total' | 'online' | 'inactive') => users.filter(isCounted(card)).map(({ id }) => id)
  expect([shown('total'), shown('online'), shown('inactive')]).toEqual([['a', 'b', 'c'], ['a', 'b'], ['a']])
})

describe('credentials', () => {
  const credentials = { host_id: 'H000001', user_id: 'U000017', username: 'Asha', password: 'k7 "x"' }

  test('read like the login of the phone app, with what to do', () => {
    expect(credentialsText(credentials, 'Evening circle', 'https://play.example/parley').split('\n')).toEqual([
      'Your login for “Evening circle”',
      '',
      'Get the Parley app: https://play.example/parley',
      'Then sign in with:',
      '',
      'Host ID: H000001',
      'Username: Asha',
      'Password: k7 "x"',
      'User ID: U000017',
      '',
      'It works on one phone: the first one that you sign in on. If you get a new phone, tell me, and I switch it.',
    ])
  })

  test('do without the app where nobody knows where it is', () => {
    expect(credentialsText(credentials, 'Evening circle', '')).not.toContain('app')
  })
})

test('users as a file: no formula runs, no password is in it', () => {
  const users = [
    buildRoomUser('a', { username: '=1+1', reference: 'Row 3, left', login_time: '2026-11-20T18:00:00.000Z' }),
  ]
  expect(usersCsv(users).split('\r\n')).toEqual([
    '\uFEFFuser_id,username,reference,status,is_active,is_online,login_time,last_seen,platform,device_model,app_version',
    'U-a,\'=1+1,"Row 3, left",Online,yes,yes,2026-11-20T18:00:00.000Z,,android,,',
    '',
  ])
})

describe('a generated password', () => {
  test('is ten characters that nobody mistakes for another', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(255), { minLength: 1 }), (dice) => {
        let thrown = 0
        const password = generatePassword((bytes) => bytes.map(() => dice[thrown++] ?? thrown % 256))
        expect(password).toMatch(/^[a-km-np-zA-HJ-NP-Z2-9]{10}$/)
      }),
    )
  })

  test('favours no character: bytes that would make the first ones likelier are thrown again', () => {
    let thrown = 0
    const password = generatePassword((bytes) => bytes.map(() => (thrown++ < 10 ? 224 : 223)))
    expect(password).toBe('9999999999')
  })
})
