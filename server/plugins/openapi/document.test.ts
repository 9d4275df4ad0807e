import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { startTestApp, type TestServer } from '../../../test/start.ts'
import { CALLS } from './calls.ts'
import { callOf } from './document.ts'

let server: TestServer
let document: Document
beforeAll(async () => {
  server = await startTestApp()
  const answer = await server.app.inject({ url: '/api/openapi.json', headers: { host: 'localhost:3000' } })
  document = Document.parse(answer.json())
})
afterAll(() => server.close())

const Operation = z.looseObject({
  operationId: z.string(),
  summary: z.string().min(5),
  'x-access': z.array(z.string()).min(1),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  responses: z.record(z.string(), z.unknown()),
})
const Document = z.looseObject({
  openapi: z.literal('3.1.0'),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
})
type Document = z.infer<typeof Document>

/** The pages around the document are no calls. */
const PAGES = ['GET /api/docs', 'GET /api/docs/', 'GET /api/docs/js/scalar.js']

function apiRoutes() {
  return [...server.app.routeList.values()].filter(
    ({ method, url }) => url.startsWith('/api/') && !PAGES.includes(`${method} ${url}`),
  )
}

test('every call of the API has its entry, and every entry its call', () => {
  const missing = apiRoutes().filter((route) => !callOf(route))
  expect(missing.map(({ method, url }) => `${method} ${url}`)).toEqual([])
  const known = apiRoutes().map(({ method, url }) => `${method} ${url.slice('/api'.length)}`)
  expect(Object.keys(CALLS).filter((key) => !known.includes(key))).toEqual([])
})

test('the document holds every call once, with the roles that its route states', () => {
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path))
  expect(operations).toHaveLength(apiRoutes().length)
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length)
  for (const { url, method, config } of apiRoutes()) {
    const operation = document.paths[url.replaceAll(/:(\w+)/g, '{$1}')]?.[String(method).toLowerCase()]
    expect(operation?.['x-access'], url).toEqual(config?.access)
    const isPublic = config?.access?.includes('public')
    expect(operation?.security, url).toEqual(isPublic ? [] : config?.access?.map((role) => ({ [role]: [] })))
    expect('401' in (operation?.responses ?? {}) || isPublic, url).toBe(true)
  }
})

test("every example fits the route's own schema, and says nothing that the schema would drop", () => {
  for (const route of apiRoutes()) {
    const call = callOf(route)
    const key = `${route.method} ${route.url}`
    const { body, params, querystring, response } = route.schema ?? {}
    if (!call) throw new Error(key)
    if (call.body !== undefined) expectWhole(key, call.schemas?.body ?? body, call.body)
    const named = Object.entries(call.parameters ?? {}).map(([name, { example }]) => [name, example])
    const id = { id: '3c2d9f14-61b7-4b8e-a0d5-f4c7e2918b06' }
    for (const schema of [params, querystring])
      if (schema) expectGood(key, schema, { ...id, ...Object.fromEntries(named) })
    if (call.answer === undefined) continue
    const stated = response && typeof response === 'object' && 200 in response ? response[200] : undefined
    expectWhole(key, call.schemas?.answer ?? stated, call.answer)
  }
})

function expectGood(key: string, schema: unknown, example: unknown) {
  if (!(schema instanceof z.ZodType)) throw new Error(`${key} has no schema for its example`)
  const read = schema.safeParse(example)
  expect(read.error?.issues, key).toBeUndefined()
  return read.data
}

/** `undefined` stands for an absent field. */
function expectWhole(key: string, schema: unknown, example: unknown) {
  const sent = JSON.parse(JSON.stringify(example))
  expect(expectGood(key, schema, sent), key).toMatchObject(sent)
}

test('no example of a call without a body is forgotten: what a route reads is shown', () => {
  for (const route of apiRoutes()) {
    const { body } = route.schema ?? {}
    const isRead = body instanceof z.ZodType && !(body instanceof z.ZodUnknown)
    if (isRead) expect(callOf(route)?.body, `${route.method} ${route.url}`).toBeDefined()
    const names = [...route.url.matchAll(/:(\w+)/g)].map(([, name]) => name).filter((name) => name !== 'id')
    const { querystring } = route.schema ?? {}
    if (querystring instanceof z.ZodObject) names.push(...Object.keys(querystring.shape))
    const shown = Object.keys(callOf(route)?.parameters ?? {})
    expect(shown, route.url).toEqual(expect.arrayContaining(names))
  }
})
