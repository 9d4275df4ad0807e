import { expect, test } from 'vitest'
import { isHostId, normaliseHostId } from './host-id.ts'

test.each([
  ['h000001', 'H000001'],
  [' H 000 001 ', 'H000001'],
  ['H٠٠٠٠١٢', 'H000012'],
  ['h००००३४', 'H000034'],
  ['Ｈ０００００７', 'H000007'],
])('%j is %s', (typed, hostId) => {
  expect(normaliseHostId(typed)).toBe(hostId)
  expect(isHostId(hostId)).toBe(true)
})

test.each(['', 'H', '000001', 'H00x', 'H0000000001'])('%j is none', (text) => {
  expect(isHostId(normaliseHostId(text))).toBe(false)
})
