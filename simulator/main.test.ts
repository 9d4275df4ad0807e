import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { listedHost, listedUser } from '../test/factories/listed.ts'

/** A server that refuses to reveal more passwords for half an hour. */
async function startLimitedServer(): Promise<number> {
  const users = [listedUser('amina', { is_online: false })]
  const answers: Record<string, object> = {
    '/api/auth/host/login': { data: { token: 'token', user: listedHost({ user_id: 'H000001' }) } },
    '/api/host/users': { data: { users, next_user_id: 'U000002' } },
    '/api/auth/host/logout': {},
  }
  const server = createServer(({ url = '' }, reply) => {
    const answer = answers[url]
    const headers = { 'content-type': 'application/json', 'retry-after': '1800' }
    const refusal = { success: false, message: 'Too many passwords were shown.', code: 'too_many' }
    reply.writeHead(answer ? 200 : 429, headers).end(JSON.stringify(answer ? { success: true, ...answer } : refusal))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port')
  return address.port
}

test.each(['SIGTERM', 'SIGINT'] as const)('%s ends it while it waits for passwords', async (signal) => {
  const address = ['--server', `http://127.0.0.1:${await startLimitedServer()}`, '--host-id', 'H000001']
  const login = ['--host-username', 'a', '--host-password', 'b', '--count', '1']
  const phones = spawn(process.execPath, ['simulator/main.ts', ...address, ...login], { stdio: 'pipe' })
  onTestFinished(() => void phones.kill('SIGKILL'))
  const ended = once(phones, 'exit')
  const [line] = await once(phones.stdout, 'data')
  expect(String(line)).toBe('Too many passwords were shown: 1800 s to wait\n')
  phones.kill(signal)
  expect(await ended).toEqual([0, null])
})
