import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import pLimit from 'p-limit'
import { AppError } from '../../errors.ts'
import type { Bus } from '../../lib/bus.ts'
import type { Clock } from '../../lib/clock.ts'
import { KeyedMutex } from '../../lib/keyed-mutex.ts'
import { TokenBuckets } from '../../lib/token-bucket.ts'
import { TurnQueue } from '../../lib/turn-queue.ts'

/** OWASP's parameters for argon2id (the library's default algorithm): 19 MiB, two passes, one lane; about 15 ms. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** The limit for known devices, and again for others. */
const MAX_WAITING_CHECKS = 50
const MAX_WAITING_CHANGES = 200
/** The limit of one host or master: a large room filled at once, then twenty a second. */
const NEW_PASSWORDS = { burst: 5_000, perSecond: 20 }

export const hashPassword = (password: string) => hash(password, COST)

/** The queue place of a check at sign-in. */
export interface QueuePlace {
  isKnownDevice: boolean
  /** The networks of the caller, the widest first: these take turns, and so do those within. */
  networks: string[]
  /** Runs before the work begins; an error that it throws saves the work. */
  begin?(): void
}

/**
 * Sign-in checks have slots of their own, so that setting many passwords does not delay them. Known devices and others
 * take turns, so that guesses delay only each other.
 */
export class Passwords {
  readonly #checks = new TurnQueue(['known', 'others'], {
    concurrency: availableParallelism(),
    maxWaiting: MAX_WAITING_CHECKS,
    full: () => busy('Too many users are signing in right now. Please try again.'),
  })
  readonly #changes = pLimit(1)
  readonly #owners = new KeyedMutex()
  readonly #limit: TokenBuckets
  readonly #dummyHash = hashPassword('the password of no account')

  constructor(deps: { now: Clock; bus: Bus }, limit = NEW_PASSWORDS) {
    this.#limit = new TokenBuckets(deps, {
      name: 'new passwords',
      ...limit,
      message: 'That is too many passwords in a short time.',
    })
  }

  /** Counts passwords that a host or master is about to set; throws `too_many`. */
  count(owner: string, passwords: number): void {
    this.#limit.take(owner, passwords)
  }

  /** Gives each owner one place in the queue, however many passwords it sets. */
  hash(password: string, owner: string): Promise<string> {
    return this.#owners.run(owner, async () => {
      if (this.#changes.pendingCount >= MAX_WAITING_CHANGES)
        throw busy('Too many passwords are being set right now. Please try again.')
      return this.#changes(hashPassword, password)
    })
  }

  async hashNew(password: string, owner: string): Promise<string> {
    this.count(owner, 1)
    return this.hash(password, owner)
  }

  /** Takes the same time for an account that does not exist (`passwordHash` null). */
  async isRight(password: string, passwordHash: string | null, turn: QueuePlace): Promise<boolean> {
    const isMatch = await this.#checks.run(turn.isKnownDevice ? 'known' : 'others', turn.networks, async () => {
      turn.begin?.()
      return verify(passwordHash ?? (await this.#dummyHash), password)
    })
    return isMatch && passwordHash !== null
  }
}

function busy(message: string): AppError {
  return new AppError('busy', message, { retryAfterSeconds: 2 })
}
