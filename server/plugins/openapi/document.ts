import fastifySwagger from '@fastify/swagger'
import type { FastifyInstance, FastifySchema, RouteOptions } from 'fastify'
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod'
import packageJson from '../../../package.json' with { type: 'json' }
import type { Deps } from '../../deps.ts'
import { type Call, TAGS } from './call.ts'
import { CALLS } from './calls.ts'
import { HEADERS, nouns, PARAMETERS, SECURITY_SCHEMES } from './components.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Every route, as it was registered, by method and address. */
    routeList: Map<string, RouteOptions>
  }
}

/** Registered before the routes: it gathers them, and their Zod schemas become the document. */
export async function gatherRoutes(app: FastifyInstance, { config }: Deps): Promise<void> {
  const routeList = new Map<string, RouteOptions>()
  app.decorate('routeList', routeList)
  app.addHook('onRoute', (route) => {
    if (route.method !== 'HEAD') routeList.set(`${route.method} ${route.url}`, route)
  })

  const toJson = createJsonSchemaTransform({ schemaRegistry: nouns })
  await app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Parley',
        version: packageJson.version,
        summary: packageJson.description,
        description: INTRODUCTION,
        license: { name: 'MIT', identifier: 'MIT' },
        contact: { name: 'Support', email: config.SUPPORT_EMAIL },
      },
      servers: [{ url: '/', description: 'The site that this document was read from: all three answer alike.' }],
      tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
      components: { securitySchemes: SECURITY_SCHEMES, parameters: PARAMETERS, headers: HEADERS },
    },
    transform: ({ schema, url, route, ...rest }) => {
      const call = callOf(route)
      if (!call) return { schema: { hide: true }, url }
      return toJson({ schema: schemaOf(call, schema), url, route, ...rest })
    },
    transformObject: createJsonSchemaTransformObject({ schemaRegistry: nouns }),
  })
}

export function callOf({ method, url }: Pick<RouteOptions, 'method' | 'url'>): Call | undefined {
  return (CALLS as Record<string, Call>)[`${method} ${url.replace(/^\/api/, '')}`]
}

/** What the route states, completed by its entry: some calls answer ready bytes, and one reads raw ones. */
function schemaOf(call: Call, schema: FastifySchema = {}): FastifySchema {
  const { response, hide: _hide, body, ...rest } = schema
  const stated = response && typeof response === 'object' && 200 in response ? response[200] : undefined
  const answer = call.schemas?.answer ?? stated
  return {
    ...rest,
    ...(call.body !== undefined && { body: call.schemas?.body ?? body }),
    ...(call.special?.type && { produces: [call.special.type] }),
    ...(answer !== undefined && { response: { [call.special?.status ?? 200]: answer } }),
  }
}

const INTRODUCTION = `Everything that Parley's console and its phones do, other programs can do too.

Success is \`{"success": true, ...}\`, failure \`{"success": false, "message", "code", "errors"?}\`: \`code\` is a stable
word, \`errors\` names the fields that break a rule. Only a missing or ended session is answered with 401. What is not
yours is 404, as if it did not exist. Times are ISO 8601 in UTC, ids are opaque, unknown fields of a body are ignored.

Sign in with one of the login calls and send the token as \`Authorization: Bearer …\`. A session ends 12 hours after the
login, or after 2 hours in which nobody did anything; a phone's lasts 30 days.
`
