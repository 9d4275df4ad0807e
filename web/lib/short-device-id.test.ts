import { expect, test } from 'vitest'
import { shortDeviceId } from './short-device-id.ts'

test.each([
  ['9f86d081884c7d65', '9f86d081...'],
  ['9F86D081884C7D65', '9F86D081...'],
  ['9f86d081884c7d6', '9f86d081884c7d6'],
  ['9f86d081884c7d651', '9f86d081884c7d651'],
  ['a-phone-of-my-own', 'a-phone-of-my-own'],
])('the device %s shows as %s', (deviceId, shown) => {
  expect(shortDeviceId(deviceId)).toBe(shown)
})
