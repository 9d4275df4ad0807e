import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Access } from '../../server/features/auth/guards.ts'
import { ID } from '../../shared/examples.ts'
import { buildMaster, type TestHost } from '../factories/accounts.ts'
import type { TestServer } from '../servers/start.ts'

const Operation = z.looseObject({
  operationId: z.string(),
  'x-roles': z.array(z.enum(['public', 'master', 'host', 'manager', 'moderator', 'phone'])),
  parameters: z.array(
    z.looseObject({
      in: z.string().optional(),
      name: z.string().optional(),
      required: z.boolean().optional(),
      example: z.unknown().optional(),
    }),
  ),
  requestBody: z
    .object({
      required: z.boolean(),
      content: z.record(z.string(), z.looseObject({ example: z.unknown().optional() })),
    })
    .optional(),
  responses: z.record(z.string(), z.looseObject({ content: z.record(z.string(), z.unknown()).optional() })),
})
type Operation = z.infer<typeof Operation>
const Document = z.looseObject({ paths: z.record(z.string(), z.record(z.string(), Operation)) })
const Method = z.enum(['GET', 'POST', 'PUT', 'DELETE'])

export interface DocumentedCall {
  key: string
  method: z.infer<typeof Method>
  path: string
  operation: Operation
}

/** Lists every call of the API document. */
export async function documentedCalls({ app }: { app: FastifyInstance }): Promise<DocumentedCall[]> {
  const { paths } = Document.parse(
    (await app.inject({ url: '/api/openapi.json', headers: { host: 'localhost' } })).json(),
  )
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([name, operation]) => {
      const method = Method.parse(name.toUpperCase())
      return { key: `${method} ${path}`, method, path, operation }
    }),
  )
}

/** Builds the example of a call's body with a real room and user. */
export function exampleBody({ operation }: DocumentedCall, roomId: string, userId: string): unknown {
  const example = operation.requestBody?.content['application/json']?.example ?? null
  return JSON.parse(JSON.stringify(example).replaceAll(ID.room, roomId).replaceAll(ID.anita, userId))
}

/** Returns a token for each role, and replaces it when a call has ended its session. */
export function tokensOf(
  server: TestServer,
  host: () => TestHost,
): (access: Access, options?: { anew?: boolean }) => Promise<string | null> {
  const { sessions, db } = server.deps
  const held = new Map<Access, string>()
  const open = async (role: Exclude<Access, 'public'>) => {
    const master_id = role === 'master' ? (await buildMaster(server)).id : null
    const host_id = role === 'master' ? null : host().id
    if (role === 'phone') await sessions.end({ host_phone_of: host().id }, 'signed_in_elsewhere')
    return sessions.open(db, { role, master_id, host_id, room_user_id: null }, '127.0.0.1')
  }
  return async (access, { anew = false } = {}) => {
    if (access === 'public') return null
    const token = anew ? undefined : held.get(access)
    if (token && (await sessions.find(token))) return token
    const opened = await open(access)
    held.set(access, opened)
    return opened
  }
}
