import { afterAll, beforeEach } from 'vitest'
import { startTestApp, type TestServer } from './start.ts'

/** A server for the tests of one file, with a database that is emptied before each of them. */
export async function setup(options: Parameters<typeof startTestApp>[0] = {}): Promise<TestServer> {
  const server = await startTestApp(options)
  afterAll(() => server.close())
  beforeEach(() => server.truncate())
  return server
}
