import { expect, test } from 'vitest'
import { phoneAppAddress, phoneAppQrCode } from './phone-app.ts'

test('the address names the room', () => {
  expect(phoneAppAddress('http://phone.localhost:3000', 'H000001')).toBe('http://phone.localhost:3000/?host=H000001')
})

test('the code is a square, in colours of its own', () => {
  const address = 'https://phone.parley.example/?host=H000001'
  const rows = phoneAppQrCode(address, true).filter((line) => line.includes('\x1b'))
  const widths = rows.map((row) => [...row.replace('  \x1b[97;40m', '').replace('\x1b[0m', '')].length)
  expect(new Set(widths).size).toBe(1)
  expect(rows.length).toBe(Math.ceil((widths[0] ?? 0) / 2)) // a line of text shows two rows of the code
  expect(phoneAppQrCode(address, false).join('')).not.toContain('\x1b')
})

test.each([
  ['http://phone.localhost:3000/?host=H000001', 1],
  ['https://phone.parley.example/?host=H000001', 0],
])('says that no other machine reaches a local address: %s', (address, count) => {
  expect(phoneAppQrCode(address, true).filter((line) => line.includes('On this machine only'))).toHaveLength(count)
})
