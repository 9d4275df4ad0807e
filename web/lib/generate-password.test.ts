import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { generatePassword } from './generate-password.ts'

describe('a generated password', () => {
  test('has ten characters that are not easily confused', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(255), { minLength: 1 }), (dice) => {
        let thrown = 0
        const password = generatePassword((bytes) => bytes.map(() => dice[thrown++] ?? thrown % 256))
        expect(password).toMatch(/^[a-km-np-zA-HJ-NP-Z2-9]{10}$/)
      }),
    )
  })

  test('favours no character, by discarding bytes beyond a multiple', () => {
    let thrown = 0
    const password = generatePassword((bytes) => bytes.map(() => (thrown++ < 10 ? 224 : 223)))
    expect(password).toBe('9999999999')
  })
})
