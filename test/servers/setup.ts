import { afterAll, afterEach, beforeEach, expect } from 'vitest'
import { startTestApp, type TestServer } from './start.ts'
import { closeStreams } from './stream.ts'

type Options = Parameters<typeof startTestApp>[0] & {
  /** Keeps the data between tests. */
  keepData?: boolean
}

/** Starts a server for a file's tests. Closes its streams after each test, and empties its database before each. */
export async function setup({ keepData = false, ...options }: Options = {}): Promise<TestServer> {
  const server = await startTestApp(options)
  afterAll(() => server.close())
  afterEach(async () => {
    if (await closeStreams()) await expect.poll(() => server.deps.streams.count).toBe(0)
  })
  if (!keepData) beforeEach(() => server.truncate())
  return server
}
