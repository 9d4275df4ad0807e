import { afterAll, afterEach, beforeEach, expect } from 'vitest'
import { startTestApp, type TestServer } from './start.ts'
import { closeStreams } from './stream.ts'

type Options = Parameters<typeof startTestApp>[0] & {
  /** Keeps the data from test to test. */
  keepData?: boolean
}

/** A server for the tests of one file. After each test its streams are closed; before each its database is emptied. */
export async function setup({ keepData = false, ...options }: Options = {}): Promise<TestServer> {
  const server = await startTestApp(options)
  afterAll(() => server.close())
  afterEach(async () => {
    if (await closeStreams()) await expect.poll(() => server.deps.streams.count).toBe(0)
  })
  if (!keepData) beforeEach(() => server.truncate())
  return server
}
