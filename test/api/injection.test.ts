import fastify, { type FastifyInstance, type InjectOptions } from 'fastify'
import { DefaultQueryExecutor, sql } from 'kysely'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { buildHost, buildRoomUser, call, type TestHost } from '../factories/accounts.ts'
import { setup } from '../servers/setup.ts'
import { type DocumentedCall, documentedCalls, exampleBody, tokensOf } from './documented-calls.ts'

/** A part of each payload. It is safe in a parameter; in a statement's text it is an injection. */
const MARK = 'zqxj'
/** Payloads short enough for every field; the last is a valid email address. */
const CLASSICAL = [
  `'"\\\`)--${MARK}`,
  `x' union select pg_sleep(9)--${MARK}`,
  `1;drop table hosts;--${MARK}`,
  `${MARK}'or'a'='a@example.com`,
]
/** Returns two payloads: as SQL the first is always true and the second never; as text they are equivalent. */
const pairOf = (n: number) => [`x' or '${MARK}${n}'='${MARK}${n}`, `x' or '${MARK}${n}'='${MARK}`] as const

/** An input of a call that takes the payload; all others are valid. */
interface Slot {
  name: string
  request: (payload: string) => InjectOptions
}

let now = Date.now()
const server = await setup({ config: { FEATURES: ['logo-upload', 'downloads'] }, now: () => now, keepData: true })
const calls = await documentedCalls(server)
let host: TestHost
let roomId: string
const tokenFor = tokensOf(server, () => host)
/** Inputs whose payload reached the parameters of a statement. */
const reached = new Set<string>()

beforeAll(async () => {
  host = await buildHost(server)
  roomId = (await call(server, 'GET', '/host/details', { as: host })).body.room_id
})

async function slotsOf(one: DocumentedCall): Promise<Slot[]> {
  const { method, path, operation } = one
  const user = await buildRoomUser(server, host)
  const other = path.includes('/admin/hosts/') ? await buildHost(server) : user
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const good = (name: string) =>
    name === 'id' ? other.id : String(operation.parameters.find((one) => one.name === name)?.example)
  const address = (changed = '', payload = '') =>
    names.reduce(
      (text, name) => text.replace(`{${name}}`, encodeURIComponent(name === changed ? payload : good(name))),
      path,
    )
  const example = exampleBody(one, roomId, user.id)
  const plain = { method, url: address(), ...(example !== null && { body: example }) }
  const query = operation.parameters.filter((parameter) => parameter.in === 'query')
  return [
    ...names.map((name) => ({
      name: `path ${name}`,
      request: (payload: string) => ({ ...plain, url: address(name, payload) }),
    })),
    ...query.map(({ name = '' }) => ({
      name: `query ${name}`,
      request: (payload: string) => {
        const pairs = query.map((one) => [one.name ?? '', one.name === name ? payload : String(one.example)])
        return { ...plain, url: `${plain.url}?${new URLSearchParams(pairs)}` }
      },
    })),
    ...leavesOf(example).map((leaf) => ({
      name: `body ${leaf.join('.')}`,
      request: (payload: string) => ({ ...plain, body: Object(replaced(example, leaf, payload)) }),
    })),
    { name: 'headers', request: (payload: string) => ({ ...plain, headers: inHeaders(payload) }) },
    {
      name: 'token',
      request: (payload: string) => ({ ...plain, headers: { authorization: `Bearer ${payload}` } }),
    },
  ]
}

const inHeaders = (payload: string) =>
  Object.fromEntries(
    ['idempotency-key', 'if-none-match', 'last-event-id', 'user-agent', 'x-zm-signature', 'range', 'origin'].map(
      (name) => [name, payload],
    ),
  )

function leavesOf(value: unknown, path: string[] = []): string[][] {
  if (value === null || typeof value !== 'object') return path.length > 0 ? [path] : []
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, [...path, key]))
}

function replaced(value: unknown, [key, ...rest]: string[], payload: string): unknown {
  if (key === undefined) return payload
  const inner: unknown = Object(value)[key]
  if (Array.isArray(value)) return value.with(Number(key), replaced(inner, rest, payload))
  return { ...Object(value), [key]: replaced(inner, rest, payload) }
}

let pairs = 100
let address = 0
/** Avoids the login throttle. */
const anotherAddress = () => `10.${(++address >> 16) & 255}.${(address >> 8) & 255}.${address & 255}`

/** Returns the problems of a call with payloads in this input. */
async function holesIn(app: FastifyInstance, { key, path, operation }: DocumentedCall, slot: Slot): Promise<string[]> {
  const holes: string[] = []
  const execute = DefaultQueryExecutor.prototype.executeQuery
  const spy = vi.spyOn(DefaultQueryExecutor.prototype, 'executeQuery').mockImplementation(function (
    this: DefaultQueryExecutor,
    query,
    options,
  ) {
    if (query.sql.includes(MARK)) holes.push(`${slot.name}: ${query.sql}`)
    else if (JSON.stringify(query.parameters).includes(MARK)) reached.add(`${key} ${slot.name}`)
    return execute.call(this, query, options)
  })
  // Wrong passwords of an owner hold up only the session that shows them.
  const anew = path.startsWith('/api/account/')
  const signIn = () => tokenFor(operation['x-roles'][0] ?? 'public', { anew })
  const send = async (payload: string, token: string | null) => {
    now += 100 // slow enough for the rate limits
    const { headers, ...request } = slot.request(payload)
    const answer = await app.inject({
      ...request,
      remoteAddress: anotherAddress(),
      headers: { host: 'localhost', ...(token && { authorization: `Bearer ${token}` }), ...headers },
    })
    if (answer.statusCode >= 500) holes.push(`${slot.name}: ${answer.statusCode} to ${payload}`)
    return `${answer.statusCode} ${shapeOf(answer.body)}`
  }
  const token = await signIn()
  await Promise.all(CLASSICAL.map((payload) => send(payload, token)))
  const [ever, never] = pairOf(++pairs)
  const judged = async (payload: string) => send(payload, await signIn())
  const [first, second] = [await judged(ever), await judged(never)]
  if (first !== second && (await judged(ever)) === first) holes.push(`${slot.name}: ${first} | ${second}`)
  spy.mockRestore()
  return holes
}

/** Reduces a response to the parts that a true condition would change. */
function shapeOf(body: string): string {
  if (!body.startsWith('{')) return String(body.length)
  return JSON.stringify(JSON.parse(body), (key, value: unknown) =>
    Array.isArray(value) ? value.length : typeof value === 'object' || key === 'code' ? value : typeof value,
  )
}

describe('SQL payloads are plain values', () => {
  test.each([
    ['query', (name: string) => `select id, username from hosts where username = '${name}'`],
    ['body', (name: string) => `select id, username from hosts where user_id = ${JSON.stringify(name)}`],
  ])('detects a planted injection in a %s, by its statement and by its answers', async (place, statement) => {
    const planted = fastify()
    planted.route({
      method: ['GET', 'POST'],
      url: '/api/planted',
      handler: async ({ query, body }) => {
        const { name } = Object(place === 'query' ? query : body)
        const { rows } = await sql.raw(statement(String(name))).execute(server.deps.db)
        return { rows }
      },
    })
    const operation = { operationId: 'planted', 'x-roles': [], parameters: [], responses: {} }
    const method = place === 'query' ? ('GET' as const) : ('POST' as const)
    const found = await holesIn(
      planted,
      { key: 'planted', method, path: '/api/planted', operation },
      {
        name: place,
        request: (name) =>
          place === 'query'
            ? { method, url: `/api/planted?${new URLSearchParams({ name })}` }
            : { method, url: '/api/planted', body: { name } },
      },
    )
    expect(found).toContainEqual(expect.stringContaining(`${place}: select id, username from hosts`))
    if (place === 'query') expect(found).toContainEqual(expect.stringContaining('{"rows":1} | 200 {"rows":0}'))
    await planted.close()
  })

  test.each(calls)('$key', async (one) => {
    const holes: string[] = []
    for (const slot of await slotsOf(one)) holes.push(...(await holesIn(server.app, one, slot)))
    expect(holes).toEqual([])
  })

  test('payloads reached the database in many places', () => {
    expect(reached.size).toBeGreaterThan(40)
  })
})
