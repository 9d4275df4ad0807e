import { expect, test } from 'vitest'
import { setup } from '../test/servers/setup.ts'

const { app } = await setup()

test('a call must have come whole within 30 s', () => {
  // Node swaps the two where the time for the headers is the longer one.
  const { requestTimeout, headersTimeout } = app.server
  expect(Math.max(requestTimeout, headersTimeout)).toBe(30_000)
})
