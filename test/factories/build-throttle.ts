import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import type { Tables } from '../../server/db/tables.ts'
import { AnonymousQueryQueue } from '../../server/features/auth/anonymous-query-queue.ts'
import { LoginThrottle } from '../../server/features/auth/login-throttle.ts'
import type { BusMessage } from '../../server/lib/bus.ts'
import type { Clock } from '../../server/lib/clock.ts'
import { secretsFrom } from '../../server/lib/secrets.ts'

/** Responds to every query with no rows. */
const noDb = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

/** Builds the sign-in limits without a server. None of its accounts has signed in before. */
export function buildThrottle(now: Clock) {
  const published: BusMessage[] = []
  let receive = (_message: BusMessage) => {}
  const bus = {
    pseudonym: (name: string) => name,
    publish: (message: BusMessage) => void published.push(message),
    subscribe(listener: typeof receive) {
      receive = listener
    },
  }
  const secrets = secretsFrom('a key for tests')
  const throttle = new LoginThrottle({ now, bus, db: noDb, secrets, strangers: new AnonymousQueryQueue() })
  return {
    throttle,
    published,
    /** Simulates a wrong sign-in on another server. */
    countElsewhere: (failed: { account: string; address: string; place?: string }) =>
      receive({ type: 'sign-in-checked', ...failed, networks: [], isRight: false, at: now() }),
  }
}
