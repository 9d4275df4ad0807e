import type { FastifyInstance, RouteOptions } from 'fastify'
import { z } from 'zod'
import type { Access } from '../../features/auth/guards.ts'
import type { Call } from './call.ts'
import { callOf } from './document.ts'
import { ID } from './examples.ts'
import { failureAnswer, failureName, failuresOf } from './failures.ts'

const Parameter = z.looseObject({ name: z.string().optional() })
const Answer = z.looseObject({
  description: z.string().optional(),
  content: z.record(z.string(), z.looseObject({})).optional(),
})
const Operation = z.looseObject({
  parameters: z.array(Parameter).default([]),
  requestBody: z.looseObject({ content: z.record(z.string(), z.looseObject({})) }).optional(),
  responses: z.record(z.string(), Answer),
})
type Operation = z.infer<typeof Operation>
const Document = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.looseObject({
    schemas: z.record(z.string(), z.unknown()),
    responses: z.record(z.string(), z.unknown()).default({}),
  }),
})
export type ApiDocument = z.infer<typeof Document>

const WHO: Record<Access, string> = { public: 'anyone', master: 'a master', host: 'a host', phone: 'a phone' }

/** The finished document: what the schemas say, with the words, examples and failures of each call. */
export function documentOf(app: FastifyInstance): ApiDocument {
  const { paths, components, ...head } = Document.parse(structuredClone(app.swagger()))
  for (const route of app.routeList.values()) {
    const call = callOf(route)
    const path = paths[route.url.replaceAll(/:(\w+)/g, '{$1}')]
    const method = String(route.method).toLowerCase()
    const operation = path?.[method]
    if (!call || !operation) continue
    path[method] = describe(operation, route, call, components.responses)
  }
  return withoutUnused({ ...head, paths, components })
}

function describe(operation: Operation, route: RouteOptions, call: Call, shared: Record<string, unknown>): Operation {
  const access = route.config?.access ?? []
  const who = `Who may call it: ${call.who ?? access.map((role) => WHO[role]).join(' or ')}.`
  const { parameters, requestBody, responses, ...rest } = operation
  return {
    ...rest,
    operationId: call.name,
    summary: call.summary,
    description: call.description ? `${call.description}\n\n${who}` : who,
    tags: [call.tag],
    security: access.includes('public') ? [] : access.map((role) => ({ [role]: [] })),
    'x-access': access,
    parameters: [...parameters.map((parameter) => withExample(parameter, call)), ...read(route, call)],
    ...(requestBody && { requestBody: bodyOf(requestBody, route, call) }),
    responses: { ...answersOf(responses, call), ...failures(route, call, shared) },
  }
}

function withExample(parameter: z.infer<typeof Parameter>, { parameters = {} }: Call) {
  const said = parameters[parameter.name ?? ''] ?? { example: ID.anita }
  const isFlag = said.example === 'true' || said.example === 'false' // a word in the address, however it is read
  return { ...parameter, ...(isFlag && { schema: { type: 'string', enum: ['true', 'false'] } }), ...said }
}

/** The headers that the call reads, as references to the components. */
function read({ method, config }: RouteOptions, call: Call) {
  const isRepeatable = method !== 'GET' && !config?.background && !config?.access?.includes('public')
  const names = [...(call.reads ?? []), ...(isRepeatable ? ['IdempotencyKey' as const] : [])]
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }))
}

function bodyOf(requestBody: NonNullable<Operation['requestBody']>, { schema }: RouteOptions, call: Call) {
  const mayBeAbsent = schema?.body instanceof z.ZodType && schema.body.safeParse(undefined).success
  const content = requestBody.content['application/json'] ?? {}
  return { required: !mayBeAbsent, content: { 'application/json': { ...content, example: call.body } } }
}

function answersOf(responses: Operation['responses'], { answer, special, reads, also = {} }: Call) {
  const status = special?.status ?? 200
  const content = Object.entries(responses[status]?.content ?? {}).map(([type, media]) => [
    type,
    answer === undefined ? media : { ...media, example: answer },
  ])
  const main = {
    description: special?.description ?? 'Done.',
    ...(content.length > 0 && { content: Object.fromEntries(content) }),
    ...(special?.location && { headers: location(special.location) }),
    ...(reads?.includes('IfNoneMatch') && { headers: { ETag: { $ref: '#/components/headers/ETag' } } }),
  }
  const others = Object.entries(also).map(([code, description]) => [code, { description }])
  return { [status]: main, ...Object.fromEntries(others) }
}

const location = (example: string) => ({ Location: { schema: { type: 'string', format: 'uri' }, example } })

/** Most calls fail in the same ways, so that each way stands once among the components. */
function failures(route: RouteOptions, call: Call, shared: Record<string, unknown>) {
  const byStatus = [...failuresOf(route, String(route.method), call)].map(([status, codes]) => {
    const name = failureName(codes)
    shared[name] ??= failureAnswer(codes)
    return [status, { $ref: `#/components/responses/${name}` }]
  })
  return Object.fromEntries(byStatus)
}

/** Each noun is made in the form that is sent and in the form that is read; only what is referred to stays. */
function withoutUnused(document: ApiDocument): ApiDocument {
  const { components } = document
  for (;;) {
    const text = JSON.stringify(document)
    const unused = Object.keys(components.schemas).filter((name) => !text.includes(`"#/components/schemas/${name}"`))
    if (unused.length === 0) return document
    for (const name of unused) delete components.schemas[name]
  }
}
