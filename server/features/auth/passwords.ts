import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import type { Clock } from '../../lib/clock.ts'
import { TokenBuckets } from '../../lib/token-bucket.ts'

/** OWASP's argon2id (the library's default algorithm): 19 MiB, two passes, one lane; about 15 ms. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Runs so many at a time, and lets so many more wait. */
class Semaphore {
  readonly #atOnce: number
  readonly #mostWaiting: number
  readonly #busy: string
  readonly #waiting: (() => void)[] = []
  #running = 0

  constructor({ atOnce, mostWaiting, busy }: { atOnce: number; mostWaiting: number; busy: string }) {
    this.#atOnce = atOnce
    this.#mostWaiting = mostWaiting
    this.#busy = busy
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#atOnce) {
      if (this.#waiting.length >= this.#mostWaiting) throw new AppError('busy', this.#busy, { retryAfterSeconds: 2 })
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    } else {
      this.#running++
    }
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#running--
    }
  }
}

/** More at once than there are cores only queue inside the machine. */
const signIns = new Semaphore({
  atOnce: Math.max(1, availableParallelism()),
  mostWaiting: 50,
  busy: 'Too many people are signing in right now. Please try again.',
})
/** Passwords that are set: one at a time, so that they take no core from those who sign in. */
const changes = new Semaphore({
  atOnce: 1,
  mostWaiting: 200,
  busy: 'Too many passwords are being set right now. Please try again.',
})
/** By whoever sets passwords, the end of its last one: each has one place in the queue, however many it sets. */
const lastOf = new Map<string, Promise<unknown>>()

/** How many passwords a host or master may set: five thousand at once, as when a room is filled, then twenty a second. */
export function newPasswordLimit(now: Clock): TokenBuckets {
  return new TokenBuckets(now, { burst: 5_000, perSecond: 20, message: 'That is too many passwords at once.' })
}

/** Hashes a password that `owner`, a host or master, sets; refused as `too_many` after too many of them. */
export async function hashNewPassword({ newPasswords }: Deps, owner: string, password: string): Promise<string> {
  newPasswords.take(owner)
  return hashPassword(password, owner)
}

export async function hashPassword(password: string, owner: string): Promise<string> {
  const before = lastOf.get(owner) ?? Promise.resolve()
  const mine = before.then(() => changes.run(() => hash(password, COST)))
  const settled = mine.catch(() => {})
  lastOf.set(owner, settled)
  void settled.then(() => lastOf.get(owner) === settled && lastOf.delete(owner))
  return mine
}

/** The same work for an account that does not exist (`hashed` null), so that time tells nothing. */
export async function isPassword(password: string, hashed: string | null): Promise<boolean> {
  const isRight = await signIns.run(async () => verify(hashed ?? (await nobodysHash()), password))
  return isRight && hashed !== null
}

let nobody: Promise<string> | undefined
function nobodysHash(): Promise<string> {
  nobody ??= hash('nobody has this password', COST)
  return nobody
}
