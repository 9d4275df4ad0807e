import { randomUUID } from 'node:crypto'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { hashPassword } from '../../server/features/auth/passwords.ts'
import { AuditAnswer } from '../../shared/audit.ts'
import type { AssistantRole } from '../../shared/auth.ts'
import type { Host } from '../../shared/hosts.ts'
import { normaliseForComparison } from '../../shared/normalise.ts'
import type { RoomUser } from '../../shared/room-users.ts'
import type { TestServer } from '../servers/start.ts'

export const PASSWORD = 'correct horse battery'
let count = 0
let hashed: Promise<string> | undefined

export interface SignedIn {
  token: string
}
export type TestHost = Host & SignedIn

/** Sends a request like a console or a phone, and parses the response. */
export async function call(
  { app }: { app: FastifyInstance },
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  {
    as,
    body,
    headers = {},
    from,
  }: { as?: SignedIn | null; body?: unknown; headers?: Record<string, string>; from?: string } = {},
) {
  const options: InjectOptions = {
    method,
    url: `/api${path}`,
    headers: {
      host: 'localhost:3000',
      ...(as && { authorization: `Bearer ${as.token}` }),
      ...(method !== 'GET' && body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { payload: JSON.stringify(body) }),
    ...(from && { remoteAddress: from }),
  }
  const answer = await app.inject(options)
  const isJson = answer.headers['content-type']?.toString().includes('json') ?? false
  return {
    status: answer.statusCode,
    headers: answer.headers,
    body: isJson && answer.body !== '' ? answer.json() : null,
  }
}

export async function buildMaster(server: TestServer): Promise<SignedIn & { id: string; email: string }> {
  const email = `master${++count}@parley.example`
  hashed ??= hashPassword(PASSWORD)
  const { id } = await server.deps.db
    .insertInto('masters')
    .values({
      email,
      email_key: normaliseForComparison(email),
      password_hash: await hashed,
      created_at: new Date(server.deps.now()),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const who = { role: 'master' as const, master_id: id, host_id: null, room_user_id: null }
  return { id, email, token: await server.deps.sessions.open(server.deps.db, who, '127.0.0.1') }
}

/** Adds a host as the master and signs it in to the console, with a year of subscription. */
export async function buildHost(server: TestServer, fields: Record<string, unknown> = {}): Promise<TestHost> {
  const master = await buildMaster(server)
  const name = `host${++count}`
  const made = await call(server, 'POST', '/admin/hosts/integrate', {
    as: master,
    body: { username: name, email: `${name}@example.com`, password: PASSWORD, subscription_type: 12, ...fields },
  })
  if (made.status !== 200) throw new Error(`No host could be made: ${JSON.stringify(made.body)}`)
  return { ...made.body.data, token: await openSession(server, made.body.data.id) }
}

export async function openSession(server: TestServer, hostId: string): Promise<string> {
  const who = { role: 'host' as const, master_id: null, host_id: hostId, room_user_id: null }
  return server.deps.sessions.open(server.deps.db, who, '127.0.0.1')
}

export type TestAssistant = SignedIn & { id: string; login_name: string }

/** Adds an assistant who has used the invitation, and signs it in. */
export async function buildAssistant(
  server: TestServer,
  host: TestHost,
  role: AssistantRole,
  name = `${role}${++count}`,
): Promise<TestAssistant> {
  hashed ??= hashPassword(PASSWORD)
  const { id } = await server.deps.db
    .insertInto('assistants')
    .values({ host_id: host.id, name, name_key: normaliseForComparison(name), role, password_hash: await hashed })
    .returning('id')
    .executeTakeFirstOrThrow()
  const token = await openAssistantSession(server, { id, role, host_id: host.id })
  return { id, login_name: `${name}@${host.username}`, token }
}

export async function openAssistantSession(
  { deps }: TestServer,
  { id, role, host_id }: { id: string; role: AssistantRole; host_id: string },
): Promise<string> {
  const who = { role, master_id: null, host_id, room_user_id: null, assistant_id: id }
  return deps.sessions.open(deps.db, who, '127.0.0.1')
}

export async function buildRoomUser(
  server: TestServer,
  host: TestHost,
  fields: Record<string, unknown> = {},
): Promise<RoomUser> {
  const name = `user${++count}`
  const made = await call(server, 'POST', '/host/users', {
    as: host,
    body: { username: name, user_id: `U${String(count).padStart(6, '0')}`, password: PASSWORD, ...fields },
  })
  if (made.status !== 200) throw new Error(`No user could be made: ${JSON.stringify(made.body)}`)
  return made.body.data.user
}

export type TestPhone = SignedIn & { id: string; device_id: string }

export async function phoneLogin(
  server: TestServer,
  host: Host,
  user: { username: string },
  device_id: string = randomUUID(),
  password = PASSWORD,
) {
  return call(server, 'POST', '/mobile/login', {
    body: {
      host_id: host.user_id,
      username: user.username,
      password,
      device_id,
      device_model: 'Pixel 9',
      platform: 'android',
      app_version: '1.4.0',
    },
  })
}

export async function readAudit(server: TestServer, as: SignedIn, query = '', path = '/admin/audit') {
  const { status, body } = await call(server, 'GET', `${path}?${query}`, { as })
  if (status !== 200) throw new Error(`The audit was refused: ${JSON.stringify(body)}`)
  return AuditAnswer.parse(body).data
}

/** Requests the address of a stream of the host's room. */
export async function requestStream(server: { app: FastifyInstance }, host: SignedIn, as = host) {
  const { room_id } = (await call(server, 'GET', '/host/details', { as: host })).body
  return call(server, 'POST', '/mobile/sse-session', { as, body: { room_id } })
}

/** Signs a room user's phone in and brings it online. */
export async function buildPhone(server: TestServer, host: TestHost, user: RoomUser): Promise<TestPhone> {
  const device_id = randomUUID()
  const login = await phoneLogin(server, host, user, device_id)
  if (login.status !== 200) throw new Error(`The phone was refused: ${JSON.stringify(login.body)}`)
  const phone = { token: login.body.data.token, id: user.id, device_id }
  await call(server, 'POST', '/mobile/status', { as: phone })
  return phone
}
