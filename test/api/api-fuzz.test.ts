import fc from 'fast-check'
import type { InjectOptions } from 'fastify'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { Failure } from '../../shared/errors.ts'
import { buildHost, buildRoomUser, call, type TestHost } from '../factories/accounts.ts'
import { setup } from '../servers/setup.ts'
import { type DocumentedCall, documentedCalls, exampleBody, tokensOf } from './documented-calls.ts'
import { hostileBody, hostileSegment, hostileText } from './hostile.ts'

/** Requests to each call, on each database; FUZZ_RUNS sets more for a longer run. */
const RUNS = Number(process.env.FUZZ_RUNS ?? 30)

let now = Date.now()
const server = await setup({ now: () => now, keepData: true })
const calls = await documentedCalls(server)

let host: TestHost
let roomId: string
let userId: string
let othersId: string
beforeAll(async () => {
  host = await buildHost(server)
  roomId = (await call(server, 'GET', '/host/details', { as: host })).body.room_id
})
/** Recreated for each test, since a call may delete them. */
beforeEach(async () => {
  userId = (await buildRoomUser(server, host)).id
  othersId = (await buildHost(server)).id
})

const tokenFor = tokensOf(server, () => host)

/** Generates requests whose parts may each be valid, wrong or missing. */
function requestTo(call: DocumentedCall): fc.Arbitrary<InjectOptions> {
  const { method, path, operation } = call
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const good = (name: string) => {
    const example = operation.parameters.find((parameter) => parameter.name === name)?.example
    const id = path.includes('/admin/hosts/') ? othersId : userId
    return encodeURIComponent(name === 'id' ? id : String(example))
  }
  const segment = (name: string) => fc.oneof(fc.constant(name).map(good), hostileSegment)
  const query = operation.parameters.filter((parameter) => parameter.in === 'query')
  const pair = ({ name = '', example }: (typeof query)[number]) =>
    fc
      .tuple(fc.oneof(fc.constant(String(example)), hostileText), fc.constantFrom('=', '=', '[]=', '[a]=', '.'))
      .map(([value, sign]) => `${name}${sign}${encodeURIComponent(value.toWellFormed())}`)
  const example = exampleBody(call, roomId, userId)
  return fc
    .record({
      segments: fc.tuple(...names.map(segment)),
      pairs: fc.array(query.length > 0 ? fc.oneof(...query.map(pair)) : fc.constant('x=1'), { maxLength: 4 }),
      payload: method === 'GET' ? fc.constant(undefined) : fc.option(hostileBody(example), { nil: undefined, freq: 8 }),
      key: fc.option(
        hostileText.map((text) => text.replaceAll(/[^\x20-\x7e]/g, '?')),
        { nil: undefined, freq: 3 },
      ),
      remoteAddress: fc.ipV4(), // avoids the login throttle
    })
    .map(({ segments, pairs, payload, key, remoteAddress }) => {
      const filled = names.reduce((text, name, place) => text.replace(`{${name}}`, segments[place] ?? ''), path)
      return {
        method,
        url: pairs.length > 0 ? `${filled}?${pairs.join('&')}` : filled,
        remoteAddress,
        ...(payload !== undefined && { payload }),
        headers: {
          host: 'localhost',
          ...(payload !== undefined && { 'content-type': 'application/json' }),
          ...(key !== undefined && { 'idempotency-key': key, 'if-none-match': key, 'last-event-id': key, range: key }),
        },
      }
    })
}

const LEAKS =
  /\bat [\w.<>]+ \(|\.[tj]s:\d+|node_modules|ZodError|syntax error at|violates|invalid input syntax|\bpg_[a-z]+\b|relation "/

async function expectSound({ operation }: DocumentedCall, request: InjectOptions) {
  now += 100 // slow enough for the rate limits
  const token = await tokenFor(operation['x-roles'][0] ?? 'public')
  const headers = { ...request.headers, ...(token && { authorization: `Bearer ${token}` }) }
  const answer = await server.app.inject({ ...request, headers })
  const { statusCode, body } = answer
  expect(statusCode, body).toBeLessThan(500)
  expect(body.slice(0, 20_000)).not.toMatch(LEAKS)
  expect(Object.keys(Object.prototype)).toEqual([])
  expect('polluted' in {}).toBe(false)
  if (statusCode < 400) return
  expect(Object.keys(operation.responses), `${statusCode} is not documented: ${body}`).toContain(String(statusCode))
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(z.strictObject(Failure.shape).safeParse(answer.json()).error?.issues).toBeUndefined()
}

/** Beyond what columns of integers hold, and what JavaScript counts with. */
const EDGES = [2 ** 31 - 1, 2 ** 31, -(2 ** 31) - 1, 2 ** 53 - 1, 2 ** 53]

/** Lists copies of the value in each of which one number, however deep, is another. */
function withNumber(value: unknown, other: number): unknown[] {
  if (typeof value === 'number') return [other]
  if (Array.isArray(value))
    return value.flatMap((one, place) => withNumber(one, other).map((it) => value.with(place, it)))
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([key, one]) => withNumber(one, other).map((it) => ({ ...value, [key]: it })))
}

const withNumbers = calls.filter((call) => withNumber(exampleBody(call, '', ''), 0).length > 0)

describe('no number is too large for the database', () => {
  test.each(withNumbers)('$key', async (call) => {
    for (const edge of EDGES) {
      for (const payload of withNumber(exampleBody(call, roomId, userId), edge)) {
        const url = call.path.replaceAll(/\{\w+\}/g, userId)
        const headers = { host: 'localhost', 'content-type': 'application/json' }
        await expectSound(call, { method: call.method, url, payload: JSON.stringify(payload), headers })
      }
    }
  })
})

describe('no request causes a 500, hangs, leaks internals or reaches the prototype', () => {
  test.each(calls)('$key', async (call) => {
    await fc.assert(
      fc.asyncProperty(requestTo(call), (request) => expectSound(call, request)),
      { numRuns: RUNS },
    )
  })
})
