import { createRequire } from 'node:module'
import type * as Argon2 from '@node-rs/argon2'

// In the tests of Vitest, this stands for '@node-rs/argon2': real hashes, at a thousandth of the price. What they cost
// in production is shown by test/processes, whose servers have the library itself.

const argon2: typeof Argon2 = createRequire(import.meta.url)('@node-rs/argon2')

export const hash = (password: string) => argon2.hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 })
export const { verify } = argon2
