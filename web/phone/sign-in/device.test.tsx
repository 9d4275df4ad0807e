import { expect, test } from 'vitest'
import { deviceId } from './device.ts'

test('a browser calls itself another device in each room, and the same one in each visit to a room', () => {
  const first = deviceId('H000001')
  const second = deviceId('H000002')
  expect(first).toMatch(/^[\da-f-]{32,36}$/)
  expect(second).toMatch(/^[\da-f-]{32,36}$/)
  expect(second).not.toBe(first)
  expect(deviceId('H000001')).toBe(first)
  expect(deviceId('H1')).toBe(first) // as users type a Host ID
  expect(deviceId('H000002')).toBe(second)
})
