import { createRequire } from 'node:module'
import type * as Argon2 from '@node-rs/argon2'

// Replaces '@node-rs/argon2' in the tests of Vitest and in the servers of the browser tests: real hashes at a thousandth
// of the cost. test/processes tests the cost in production, since its servers use the library itself.

const argon2: typeof Argon2 = createRequire(import.meta.url)('@node-rs/argon2')

export const hash = (password: string) => argon2.hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 })
export const { verify } = argon2
