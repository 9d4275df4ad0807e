import { beforeEach, expect, test } from 'vitest'
import { MINUTE_MS } from '../../../shared/dates.ts'
import { CONSOLE_SESSIONS_MAX } from '../../../shared/session-end.ts'
import { buildHost, buildMaster, call, PASSWORD, requestStream } from '../../../test/factories/accounts.ts'
import { setup } from '../../../test/servers/setup.ts'
import { openStream } from '../../../test/servers/stream.ts'

let now = Date.parse('2026-11-21T10:00:00Z')

const server = await setup({ now: () => now })
const origin = await server.app.listen({ port: 0, host: '127.0.0.1' })
beforeEach(() => {
  now += 10 * MINUTE_MS
})

type SignIn = { path: string; body: object; read: string }
const hostSignIn = (username: string): SignIn => ({
  path: '/auth/host/login',
  body: { username, password: PASSWORD },
  read: '/host/room',
})

async function signIn({ path, body }: SignIn): Promise<string> {
  now += MINUTE_MS / 4 // so that as many sign-ins are let in
  const answer = await call(server, 'POST', path, { body })
  expect(answer.status).toBe(200)
  return answer.body.token ?? answer.body.data.token // a master's, a host's
}

const signInOften = async (who: SignIn, times: number) => {
  const tokens: string[] = []
  for (let time = 0; time < times; time++) tokens.push(await signIn(who))
  return tokens
}

test('the 21st sign-in of a host ends the session unused for longest with its streams, and no other', async () => {
  const host = await buildHost(server)
  const other = await buildHost(server)
  await call(server, 'POST', '/auth/host/logout', { as: host })
  const who = hostSignIn(host.username)
  const tokens = await signInOften(who, CONSOLE_SESSIONS_MAX)
  const streams = await Promise.all(
    tokens.slice(0, 2).map(async (token) => {
      const { body } = await requestStream(server, { token })
      return openStream(origin + body.sseUrl)
    }),
  )
  const read = async (token: string) => (await call(server, 'GET', who.read, { as: { token } })).status
  const [oldest = '', unused = ''] = tokens
  now += MINUTE_MS
  const act = (token: string, mute: 'mute' | 'unmute') =>
    call(server, 'POST', `/host/trigger-bulk-mute/${mute}`, { as: { token } })
  for (const token of tokens) if (token !== unused) expect((await act(token, 'unmute')).status).toBe(200)

  tokens.push(await signIn(who))
  await streams[1]?.ended
  expect(await call(server, 'GET', who.read, { as: { token: unused } })).toMatchObject({
    status: 401,
    body: { code: 'not_signed_in', reason: 'signed_in_elsewhere' },
  })
  const others = [...tokens.filter((token) => token !== unused), other.token]
  for (const token of others) expect(await read(token)).toBe(200)
  await act(oldest, 'mute')
  await streams[0]?.next('host-mute-all', { active: true })
})

test('the 21st sign-in of a master ends the session unused for longest', async () => {
  const { email, token } = await buildMaster(server)
  const other = await buildMaster(server)
  const who = { path: '/auth/master-login', body: { email, password: PASSWORD }, read: '/admin/hosts' }
  const tokens = await signInOften(who, CONSOLE_SESSIONS_MAX)
  const end = async (of: string) => (await call(server, 'GET', who.read, { as: { token: of } })).body.reason
  expect(await end(token)).toBe('signed_in_elsewhere')
  expect(await Promise.all([...tokens, other.token].map(end))).toEqual(Array(21).fill(undefined))
})

test('sign-ins at the same moment leave as many sessions', async () => {
  const host = await buildHost(server)
  const who = hostSignIn(host.username)
  await signInOften(who, CONSOLE_SESSIONS_MAX)
  now += 10 * MINUTE_MS
  const { path, body } = who
  const answers = await Promise.all(Array.from({ length: 6 }, () => call(server, 'POST', path, { body })))
  expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200))
  const open = await server.deps.db
    .selectFrom('sessions')
    .select('id')
    .where('host_id', '=', host.id)
    .where('ended_at', 'is', null)
    .execute()
  expect(open).toHaveLength(CONSOLE_SESSIONS_MAX)
})
