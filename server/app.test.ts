import { expect, test } from 'vitest'
import { setup } from '../test/servers/setup.ts'

const { app } = await setup()

test('a request has 30 s to arrive completely', () => {
  // Node swaps the two if `headersTimeout` is longer, so the larger one limits the whole request.
  const { requestTimeout, headersTimeout } = app.server
  expect(Math.max(requestTimeout, headersTimeout)).toBe(30_000)
})
