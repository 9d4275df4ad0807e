import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { generatePassword } from './generate-password.ts'

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
