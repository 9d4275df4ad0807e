import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { aRoomUser } from './a-room-user.ts'
import { credentialsText } from './credentials-text.ts'
import { generatePassword } from './generate-password.ts'
import { shortDeviceId } from './short-device-id.ts'
import { usersSummary } from './users-summary.ts'

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
    aRoomUser('a'),
    aRoomUser('b', { is_online: false }),
    aRoomUser('c', { is_active: false }),
    aRoomUser('d', { is_active: false, is_online: false }),
  ]
  expect(usersSummary(users)).toEqual({ total: 4, online: 2, inactive: 2 })
})

test('credentials read like the login of the phone app', () => {
  const credentials = { host_id: 'H000001', user_id: 'U000017', username: 'Asha', password: 'k7 "x"' }
  expect(credentialsText(credentials)).toBe('Host ID: H000001\nUsername: Asha\nPassword: k7 "x"\nUser ID: U000017')
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
