import fastify, { type FastifyInstance, type RouteOptions } from 'fastify'
import {
  jsonSchemaTransform,
  jsonSchemaTransformObject,
  serializerCompiler,
  validatorCompiler,
} from 'fastify-type-provider-zod'
import { z } from 'zod'
import packageJson from '../../../package.json' with { type: 'json' }
import type { Config } from '../../config.ts'
import { NO_AJV } from '../../lib/no-ajv.ts'
import { HEADERS, PARAMETERS, registerSchemas, SECURITY_SCHEMES } from './components.ts'
import { completeOperation, Operation } from './operation.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Every route, by method and URL. */
    routeList: Map<string, RouteOptions>
  }
}

/** The chapters of the documentation, in display order. */
export const TAGS = {
  'Signing in': 'Sessions of masters and hosts. A token goes into the `Authorization` header of every other call.',
  Account: 'The own account of a master or host: its password and its sessions.',
  Masters: 'The masters themselves, and invitations of others.',
  Hosts: 'Host accounts, managed by masters.',
  Subscriptions: 'The paid term of a host, and every change of it.',
  'Zoom accounts': "Connecting a host's own Zoom account, and the events that Zoom sends.",
  Profile: "A host's account, room and app.",
  Assistants: 'People who act for a host, each under an account of its own.',
  'Room users': 'The people who join a host’s room by phone.',
  'Live control': 'Who is online, who is muted, and what happens in the room right now.',
  Seat: "The host's seat in the Zoom meeting: who is there, in Zoom's own app too, and muting them.",
  Recordings: "The recordings of the host's room.",
  Records: 'Audit log and attendance.',
  Phones: 'The calls of the phone app.',
  Operation: 'For operators of the server.',
} as const

/** Collects the routes. Call it before they are registered. */
export function collectRoutes(app: FastifyInstance): void {
  const routeList = new Map<string, RouteOptions>()
  app.decorate('routeList', routeList)
  app.addHook('onRoute', (route) => {
    if (route.method !== 'HEAD') routeList.set(`${route.method} ${route.url}`, route)
  })
}

/** Excludes pages, probes and files, which have no summary. */
const isDocumented = (schema: RouteOptions['schema']) => schema?.summary !== undefined

const Document = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.looseObject({
    schemas: z.record(z.string(), z.unknown()),
    responses: z.record(z.string(), z.unknown()).default({}),
  }),
})
type Document = z.infer<typeof Document>

/** Builds the document from the schemas, and adds each route's access, headers and failures. */
export async function buildDocument({ routeList }: FastifyInstance, config: Config): Promise<Document> {
  const routes = [...routeList.values()].filter(({ schema }) => isDocumented(schema))
  const document = Document.parse(structuredClone(await describe(routes, config)))
  for (const route of routes) {
    const path = document.paths[route.url.replaceAll(/:(\w+)/g, '{$1}')]
    const method = String(route.method).toLowerCase()
    const operation = path?.[method]
    if (operation) path[method] = completeOperation(operation, route, document.components.responses)
  }
  return withoutUnusedSchemas(document)
}

/** Loads the library for the first reader, on an app of its own: a start would need 100 modules more. */
async function describe(routes: RouteOptions[], config: Config): Promise<object> {
  const { default: fastifySwagger } = await import('@fastify/swagger')
  registerSchemas()
  const app = fastify({ exposeHeadRoutes: false, schemaController: NO_AJV })
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
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
      servers: [
        {
          url: '/',
          description: 'The site that served this document. The public, master, host and phone sites answer alike.',
        },
      ],
      tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
      components: { securitySchemes: SECURITY_SCHEMES, parameters: PARAMETERS, headers: HEADERS },
    },
    transform: jsonSchemaTransform,
    transformObject: jsonSchemaTransformObject,
  })
  for (const { method, url, schema } of routes) app.route({ method, url, schema, handler: () => {} })
  await app.ready()
  const document = app.swagger()
  await app.close()
  return document
}

/** Removes duplicates: the library adds each registered noun as input and as output. */
function withoutUnusedSchemas(document: Document): Document {
  const { schemas } = document.components
  for (;;) {
    const text = JSON.stringify(document)
    const unused = Object.keys(schemas).filter((name) => !text.includes(`"#/components/schemas/${name}"`))
    if (unused.length === 0) return document
    for (const name of unused) delete schemas[name]
  }
}

const INTRODUCTION = `Everything that Parley's console and its phones do, other programs can do too.

A success is \`{"success": true, ...}\`, a failure \`{"success": false, "message", "code", "errors"?}\`: \`code\` is a stable
word, and \`errors\` names each invalid field. Only a missing or ended session is answered with 401. What belongs to
another host is 404, as if it did not exist. Times are ISO 8601 in UTC, ids are opaque, and unknown fields of a body are
ignored.

Sign in with one of the login calls and send the token as \`Authorization: Bearer …\`. A session ends 12 hours after the
login or after 2 hours without activity; a phone's session lasts 30 days.
`
