import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { AppError } from '../errors.ts'

/** OWASP's argon2id (the library's default algorithm): 19 MiB, two passes, one lane; about 15 ms. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** More at once than there are cores only queue inside the machine; more waiting than this are told to come back. */
const AT_ONCE = Math.max(1, availableParallelism())
const WAITING = 50

let running = 0
const queue: (() => void)[] = []

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= AT_ONCE) {
    if (queue.length >= WAITING) {
      throw new AppError('busy', 'Too many people are signing in right now. Please try again.', {
        retryAfterSeconds: 2,
      })
    }
    await new Promise<void>((resolve) => queue.push(resolve))
  } else {
    running++
  }
  try {
    return await work()
  } finally {
    const next = queue.shift()
    if (next) next()
    else running--
  }
}

export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password, COST))
}

/** The same work for an account that does not exist (`hashed` null), so that time tells nothing. */
export async function isPassword(password: string, hashed: string | null): Promise<boolean> {
  const right = await inTurn(async () => verify(hashed ?? (await nobodysHash()), password))
  return right && hashed !== null
}

let nobody: Promise<string> | undefined
function nobodysHash(): Promise<string> {
  nobody ??= hash('nobody has this password', COST)
  return nobody
}
