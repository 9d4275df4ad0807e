import { vi } from 'vitest'
import type { Db } from '../../server/db/client.ts'

/** Lists the statements that reach the database meanwhile, with those that begin and end transactions. */
export async function statementsOf(db: Db, work: () => Promise<unknown>): Promise<string[]> {
  const statements: string[] = []
  const executor = db.getExecutor()
  const provide = executor.provideConnection.bind(executor)
  const spy = vi.spyOn(executor, 'provideConnection').mockImplementation((consumer) =>
    provide((connection) => {
      const counted = Object.create(connection, {
        executeQuery: {
          value: (query: Parameters<typeof connection.executeQuery>[0]) => {
            statements.push(query.sql)
            return connection.executeQuery(query)
          },
        },
      })
      return consumer(counted)
    }),
  )
  try {
    await work()
  } finally {
    spy.mockRestore()
  }
  return statements
}
