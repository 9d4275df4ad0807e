import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { CallFailure, call } from './call.ts'

let timeouts = 0
let asked: (string | undefined)[] = []
const server = createServer(({ method }, response) => {
  asked.push(method)
  const isLate = asked.length <= timeouts
  response.writeHead(isLate ? 408 : 200, isLate ? { connection: 'close' } : {})
  response.end(JSON.stringify(isLate ? { success: false, message: 'Too late.' } : { success: true }))
})
let url = ''

beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
})
afterAll(() => {
  server.close()
})
beforeEach(() => {
  asked = []
})

const Answer = z.object({ success: z.literal(true) })

test('a GET that did not arrive in time is repeated', async () => {
  timeouts = 1
  expect(await call(Answer, 'GET', url)).toEqual({ success: true })
  expect(asked).toEqual(['GET', 'GET'])
})

test.each([
  ['GET', 2],
  ['POST', 1],
])('a %s that did not arrive in time fails as without a network, after %i attempts', async (method, attempts) => {
  timeouts = attempts
  const error = await call(Answer, method, url).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ message: expect.stringMatching(/ cannot be reached \(it answered 408\)$/) })
  expect(error).not.toBeInstanceOf(CallFailure) // callers may repeat whatever is none
  expect(asked).toHaveLength(attempts)
})
