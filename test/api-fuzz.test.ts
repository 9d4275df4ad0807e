import fc from 'fast-check'
import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Access } from '../server/auth/guards.ts'
import { ID } from '../server/openapi/examples.ts'
import { Failure } from '../shared/errors.ts'
import { aHost, aMaster, aRoomUser, call, type TestHost } from './build.ts'
import { hostileBody, hostileSegment, hostileText } from './hostile.ts'
import { startTestApp, type TestServer } from './start.ts'

/** Requests to each call; more of them for a longer hunt. */
const RUNS = Number(process.env.FUZZ_RUNS ?? 60)
/** Far more than any answer takes, and less than a console waits. */
const HANG_MS = 10_000

const Operation = z.looseObject({
  operationId: z.string(),
  'x-access': z.array(z.enum(['public', 'master', 'host', 'phone'])),
  parameters: z.array(
    z.looseObject({ in: z.string().optional(), name: z.string().optional(), example: z.unknown().optional() }),
  ),
  requestBody: z
    .object({ content: z.record(z.string(), z.looseObject({ example: z.unknown().optional() })) })
    .optional(),
  responses: z.record(z.string(), z.unknown()),
})
type Operation = z.infer<typeof Operation>
const Document = z.looseObject({ paths: z.record(z.string(), z.record(z.string(), Operation)) })

interface Call {
  key: string
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  operation: Operation
}

const server: TestServer = await startTestApp()
const document = Document.parse(
  (await server.app.inject({ url: '/api/openapi.json', headers: { host: 'localhost' } })).json(),
)
const Method = z.enum(['GET', 'POST', 'PUT', 'DELETE'])
const calls: Call[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([name, operation]) => {
    const method = Method.parse(name.toUpperCase())
    return { key: `${method} ${path}`, method, path, operation }
  }),
)
afterAll(() => server.close())

let host: TestHost
let roomId: string
let userId: string
let othersId: string
beforeAll(async () => {
  host = await aHost(server)
  roomId = (await call(server, 'GET', '/host/details', { as: host })).body.room_id
})
/** What a call may well delete. */
beforeEach(async () => {
  userId = (await aRoomUser(server, host)).id
  othersId = (await aHost(server)).id
})

const held = new Map<Access, string>()
/** Calls end sessions now and then: the next one opens another. */
async function tokenFor(access: Access): Promise<string | null> {
  if (access === 'public') return null
  const token = held.get(access)
  if (token && (await server.deps.sessions.find(token))) return token
  const opened = await open(access)
  held.set(access, opened)
  return opened
}

async function open(role: Exclude<Access, 'public'>): Promise<string> {
  const master_id = role === 'master' ? (await aMaster(server)).id : null
  const host_id = role === 'master' ? null : host.id
  if (role === 'phone') await server.deps.sessions.end({ host_phone_of: host.id }, 'signed_in_again')
  return server.deps.sessions.open(server.deps.db, { role, master_id, host_id, room_user_id: null }, '127.0.0.1')
}

/** A request that nobody meant well: each part may be as it should be, wrong or missing. */
function requestTo({ method, path, operation }: Call): fc.Arbitrary<InjectOptions> {
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
  const example = inThisRoom(operation.requestBody?.content['application/json']?.example ?? null)
  return fc
    .record({
      segments: fc.tuple(...names.map(segment)),
      pairs: fc.array(query.length > 0 ? fc.oneof(...query.map(pair)) : fc.constant('x=1'), { maxLength: 4 }),
      payload: method === 'GET' ? fc.constant(undefined) : fc.option(hostileBody(example), { nil: undefined, freq: 8 }),
      key: fc.option(
        hostileText.map((text) => text.replaceAll(/[^\x20-\x7e]/g, '?')),
        { nil: undefined, freq: 3 },
      ),
      remoteAddress: fc.ipV4(), // the throttle of logins is not what is tested here
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

/** The examples tell of a room that is not here. */
function inThisRoom(example: unknown): unknown {
  return JSON.parse(JSON.stringify(example).replaceAll(ID.room, roomId).replaceAll(ID.anita, userId))
}

const LEAKS =
  /\bat [\w.<>]+ \(|\.[tj]s:\d+|node_modules|ZodError|syntax error at|violates|invalid input syntax|pg_|relation "/

async function expectSound({ operation }: Call, request: InjectOptions) {
  const token = await tokenFor(operation['x-access'][0] ?? 'public')
  const headers = { ...request.headers, ...(token && { authorization: `Bearer ${token}` }) }
  const slow = Promise.withResolvers<never>()
  const timer = setTimeout(() => slow.reject(new Error(`no answer within ${HANG_MS} ms`)), HANG_MS)
  const answer = await Promise.race([server.app.inject({ ...request, headers }), slow.promise])
  clearTimeout(timer)
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

describe('SEC-32 SEC-36 SEC-37 SEC-46 SEC-92 no request makes a fault, hangs, tells of the inside or reaches the prototype', () => {
  test.each(calls)(
    '$key',
    async (call) => {
      await fc.assert(
        fc.asyncProperty(requestTo(call), (request) => expectSound(call, request)),
        { numRuns: RUNS },
      )
    },
    120_000,
  )
})
