import { readFileSync } from 'node:fs'
import type { RouteOptions } from 'fastify'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { setup } from '../../../test/servers/setup.ts'
import { TAGS } from './document.ts'

const server = await setup()

const Content = z.record(z.string(), z.looseObject({ example: z.unknown().optional() }))
const Operation = z.looseObject({
  operationId: z.string(),
  summary: z.string(),
  tags: z.array(z.string()),
  'x-roles': z.array(z.string()).min(1),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  parameters: z.array(
    z.looseObject({ name: z.string().optional(), in: z.string().optional(), example: z.unknown().optional() }),
  ),
  requestBody: z.looseObject({ content: Content }).optional(),
  responses: z.record(z.string(), z.looseObject({ content: Content.optional() })),
})
const Document = z.looseObject({
  openapi: z.literal('3.1.0'),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
})

const answer = await server.app.inject({ url: '/api/openapi.json', headers: { host: 'localhost:3000' } })
const document = Document.parse(answer.json())

/** The documentation's pages are not API calls. */
const PAGES = ['GET /api/docs', 'GET /api/docs/', 'GET /api/docs/js/scalar.js']

const keyOf = ({ method, url }: RouteOptions) => `${method} ${url}`
const apiRoutes = () =>
  [...server.app.routeList.values()]
    .filter(({ url }) => url.startsWith('/api/'))
    .filter((r) => !PAGES.includes(keyOf(r)))

function operationOf({ method, url }: RouteOptions) {
  const operation = document.paths[url.replaceAll(/:(\w+)/g, '{$1}')]?.[String(method).toLowerCase()]
  if (!operation) throw new Error(`${method} ${url} is not in the document`)
  return operation
}

test('every route has a tag, a summary, a name and examples of its requests and responses', () => {
  const isWhole = (route: RouteOptions) => {
    const { operationId = '', summary = '', tags: [tag = ''] = [] } = route.schema ?? {}
    if (!/^[a-z]\w+$/.test(operationId) || summary.length < 5 || !(tag in TAGS)) return false
    const { parameters, requestBody, responses } = operationOf(route)
    const parts = [requestBody, ...['200', '201'].map((status) => responses[status])]
    const media = parts
      .flatMap((part) => Object.entries(part?.content ?? {}))
      .filter(([type]) => type.endsWith('/json'))
    return [...parameters.filter(({ name }) => name), ...media.map(([, one]) => one)].every(
      ({ example }) => example !== undefined,
    )
  }
  expect(
    apiRoutes()
      .filter((route) => !isWhole(route))
      .map(keyOf),
  ).toEqual([])
})

test('the document has every call once, with the roles of its route', () => {
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path))
  expect(operations).toHaveLength(apiRoutes().length)
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length)
  for (const route of apiRoutes()) {
    const operation = operationOf(route)
    const { access } = route.config ?? {}
    expect(operation['x-roles'], route.url).toEqual(access)
    const isPublic = access?.includes('public')
    expect(operation.security, route.url).toEqual(isPublic ? [] : access?.map((role) => ({ [role]: [] })))
    expect('401' in operation.responses || isPublic, route.url).toBe(true)
  }
})

const ROLES = ['public', 'master', 'host', 'manager', 'moderator', 'phone'] as const
const ROLES_PAGE = 'docs/roles.md'

/** Renders a table for each chapter: a call in each row, a role in each column. */
function rolesPage(page: string): string {
  const [before = '', rest = ''] = page.split('<!-- calls -->')
  const [, after = ''] = rest.split('<!-- end of calls -->')
  const chapters = Object.keys(TAGS).map((tag) => {
    const rows = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, { tags }]) => tags.includes(tag))
        .map(([method, { summary, 'x-roles': roles }]) => [
          `\`${method.toUpperCase()} ${path}\``,
          summary,
          ...ROLES.map((role) => (roles.includes(role) ? 'yes' : '')),
        ]),
    )
    const head = ['Call', 'What it does', ...ROLES]
    const table = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)
    return [`## ${tag}`, table.join('\n')].join('\n\n')
  })
  return `${before}<!-- calls -->\n\n${chapters.join('\n\n')}\n\n<!-- end of calls -->${after}`
}

test('a call of consoles may ask for a required second factor, unless one adds it with the call', () => {
  const asks = ([method, path]: [string, string]) =>
    JSON.stringify(document.paths[`/api${path}`]?.[method]?.responses['403']).includes('SecondFactorRequired')
  const ofConsoles: [string, string][] = [
    ['get', '/host/users'],
    ['post', '/mobile/sse-session'],
    ['post', '/auth/claim'],
  ]
  const exempt: [string, string][] = [
    ['get', '/account'],
    ['post', '/account/totp'],
    ['post', '/auth/verify'],
    ['post', '/auth/host/logout'],
    ['get', '/mobile/me'],
  ]
  expect(ofConsoles.filter((call) => !asks(call))).toEqual([])
  expect(exempt.filter(asks)).toEqual([])
})

test(`${ROLES_PAGE} lists who may call what, as the routes declare it`, async () => {
  await expect(rolesPage(readFileSync(ROLES_PAGE, 'utf8'))).toMatchFileSnapshot(`../../../${ROLES_PAGE}`)
})

test("every example matches its route's schema, without extra fields", () => {
  for (const route of apiRoutes()) {
    const { parameters, requestBody, responses } = operationOf(route)
    const { params, querystring, body, response } = route.schema ?? {}
    for (const [place, schema] of [
      ['path', params],
      ['query', querystring],
    ] as const) {
      const examples = parameters
        .filter((parameter) => parameter.in === place)
        .map(({ name, example }) => [name, example])
      if (schema) expectGood(keyOf(route), schema, Object.fromEntries(examples))
    }
    if (requestBody) expectWhole(keyOf(route), body, requestBody.content)
    for (const [status, schema] of Object.entries(response ?? {})) {
      const { content } = responses[status] ?? {}
      if (content) expectWhole(keyOf(route), schema, content)
    }
  }
})

function expectGood(key: string, schema: unknown, example: unknown) {
  if (!(schema instanceof z.ZodType)) throw new Error(`${key} has no schema for its example`)
  const read = schema.safeParse(example)
  expect(read.error?.issues, key).toBeUndefined()
  return read.data
}

const OfSeveralTypes = z.object({ content: z.record(z.string(), z.object({ schema: z.instanceof(z.ZodType) })) })

function expectWhole(key: string, stated: unknown, content: z.infer<typeof Content>) {
  const byType = OfSeveralTypes.safeParse(stated).data?.content
  for (const [type, { example }] of Object.entries(content)) {
    if (example === undefined) continue
    const good = expectGood(key, byType?.[type]?.schema ?? stated, example)
    if (typeof example === 'object') expect(good, key).toMatchObject(Object(example))
  }
}

test('what anybody may read is not encoded anew for each reader', async () => {
  const read = (url: string) => server.app.inject({ url, headers: { host: 'localhost:3000' } })
  const addresses = ['/api/openapi.json', '/api/docs/', '/api/docs/js/scalar.js']
  const sizes = await Promise.all(addresses.map(async (url) => (await read(url)).rawPayload.length))
  expect(Math.max(...sizes)).toBeGreaterThan(4_000_000)
  const encode = vi.spyOn(Buffer, 'from')
  for (const url of addresses) expect((await read(url)).statusCode).toBe(200)
  expect(encode.mock.calls.filter(([text]) => typeof text === 'string' && text.length > 16_384)).toEqual([])
})
