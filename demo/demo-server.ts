import { z } from 'zod'
import type { Deps } from '../server/deps.ts'
import { runServer } from '../server/run-server.ts'

/** Asks the server of the demo for the past meetings of a sample room, which no call of the API could make. */
export const AddHistory = z.object({ type: z.literal('add_history'), host_id: z.string() })
export type AddHistory = z.infer<typeof AddHistory>

const ready = Promise.withResolvers<Deps>()

process.on('message', (message) => {
  const { data: request } = AddHistory.safeParse(message)
  if (request) void addHistory(request)
})

async function addHistory({ host_id }: AddHistory): Promise<void> {
  const { db, now } = await ready.promise
  const { addCircleHistory } = await import('./history/evening-circle.ts')
  const failure = await addCircleHistory(db, host_id, now()).then(
    () => null,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )
  process.send?.({ type: 'history_added', failure })
}

await runServer(ready.resolve)
