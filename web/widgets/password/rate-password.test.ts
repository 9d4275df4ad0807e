import { expect, test } from 'vitest'
import { ratePassword } from './rate-password.ts'

test.each([
  [0, 'password1'],
  [0, 'evening-circle'],
  [0, 'ana@studycircle.example'],
  [1, 'evening-circle1'],
  [1, 'studycircle2026'],
  [1, 'qwertyuiop12'],
  [2, 'x7Gk2mPq'],
  [3, 'K7#fj2!pQ'],
  [4, 'seven green kettles'],
])('rates %i of 4 for %s', (score, password) => {
  expect(ratePassword(password, 'evening-circle ana@studycircle.example')).toBe(score)
})
