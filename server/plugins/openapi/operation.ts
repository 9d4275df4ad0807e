import type { RouteOptions } from 'fastify'
import { z } from 'zod'
import type { ErrorCode } from '../../../shared/errors.ts'
import type { Access } from '../../features/auth/guards.ts'
import type { PARAMETERS } from './components.ts'
import { failureAnswer, failureName, failuresOf } from './failures.ts'

declare module 'fastify' {
  interface FastifySchema {
    /** Failures that do not follow from the route's access, body, path and query. */
    failures?: readonly ErrorCode[]
    /** Headers that the route reads, by their names among the components. */
    readsHeaders?: readonly (keyof typeof PARAMETERS)[]
    /** The callers, if the route's access does not name them. */
    callers?: string
  }
}

const Media = z.looseObject({ schema: z.looseObject({ examples: z.array(z.unknown()).optional() }).optional() })
const Parameter = z.looseObject({ name: z.string().optional() })
const Answer = z.looseObject({ description: z.string(), content: z.record(z.string(), Media).optional() })
export const Operation = z.looseObject({
  description: z.string().optional(),
  parameters: z.array(Parameter).default([]),
  requestBody: z.looseObject({ content: z.record(z.string(), Media) }).optional(),
  responses: z.record(z.string(), Answer),
})
type Operation = z.infer<typeof Operation>

const CALLERS: Record<Access, string> = {
  public: 'anyone',
  master: 'a master',
  host: 'a host',
  manager: 'a manager',
  moderator: 'a moderator',
  phone: 'a phone',
}

/** Adds what follows from the route. `shared` collects the failure responses, which are listed once. */
export function completeOperation(operation: Operation, route: RouteOptions, shared: Record<string, unknown>) {
  const access = route.config?.access ?? []
  const { callers = access.map((role) => CALLERS[role]).join(' or ') } = route.schema ?? {}
  const { description, parameters, requestBody, responses, ...rest } = operation
  return {
    ...rest,
    description: `${description ? `${description}\n\n` : ''}Who may call it: ${callers}.`,
    security: access.includes('public') ? [] : access.map((role) => ({ [role]: [] })),
    'x-roles': access,
    parameters: [...withExamples(parameters, route), ...headersRead(route)],
    ...(requestBody && { requestBody: { ...requestBody, required: !mayLackBody(route) } }),
    responses: { ...answers(responses, route), ...failures(route, shared) },
  }
}

const Meta = z.looseObject({ examples: z.tuple([z.record(z.string(), z.unknown())]) })

function withExamples(parameters: Operation['parameters'], { schema }: RouteOptions): Operation['parameters'] {
  const examples = [schema?.params, schema?.querystring]
    .filter((one) => one instanceof z.ZodType)
    .map((one) => Meta.safeParse(one.meta()).data?.examples[0])
  const byName: Record<string, unknown> = Object.assign({}, ...examples)
  return parameters.map((parameter) => {
    const example = byName[parameter.name ?? '']
    const isFlag = example === 'true' || example === 'false'
    return { ...parameter, ...(isFlag && { schema: { type: 'string', enum: ['true', 'false'] } }), example }
  })
}

/** Lists references to the components. */
function headersRead({ method, config, schema }: RouteOptions) {
  const isRead = method === 'GET' || config?.background || config?.isNeverReplayed
  const isRepeatable = !isRead && !config?.access?.includes('public')
  const names = [...(schema?.readsHeaders ?? []), ...(isRepeatable ? ['IdempotencyKey' as const] : [])]
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }))
}

const mayLackBody = ({ schema }: RouteOptions) =>
  schema?.body instanceof z.ZodType && schema.body.safeParse(undefined).success

function answers(responses: Operation['responses'], { schema }: RouteOptions): Operation['responses'] {
  const entries = Object.entries(responses).map(([status, { content, ...answer }]) => {
    const hasTag = status === '200' && schema?.readsHeaders?.includes('IfNoneMatch')
    return [
      status,
      {
        ...answer,
        description: answer.description === 'Default Response' ? 'Done.' : answer.description,
        ...(content && { content: Object.fromEntries(Object.entries(content).map(liftExample)) }),
        ...(hasTag && { headers: { ETag: { $ref: '#/components/headers/ETag' } } }),
      },
    ]
  })
  return Object.fromEntries(entries)
}

/** Moves the example of a response with several types, which the library leaves at the schema. */
function liftExample([type, { schema, ...media }]: [string, z.infer<typeof Media>]) {
  if (!schema?.examples) return [type, { ...media, schema }]
  const { examples, ...rest } = schema
  return [type, { ...media, schema: rest, example: examples[0] }]
}

function failures(route: RouteOptions, shared: Record<string, unknown>) {
  const byStatus = [...failuresOf(route)].map(([status, codes]) => {
    const name = failureName(codes)
    shared[name] ??= failureAnswer(codes)
    return [status, { $ref: `#/components/responses/${name}` }]
  })
  return Object.fromEntries(byStatus)
}
