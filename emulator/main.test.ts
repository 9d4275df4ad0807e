import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

const main = fileURLToPath(new URL('./main.ts', import.meta.url))

function run(env: Record<string, string>) {
  const child = fork(main, {
    env: { PATH: process.env.PATH, ZOOM_EMULATOR_PORT: '0', ...env },
    silent: true,
    execArgv: [],
  })
  let complaint = ''
  child.stderr?.on('data', (part) => {
    complaint += part
  })
  return { child, complaint: () => complaint }
}

test('sends its address to its parent process, and saves and exits when the parent is gone', async () => {
  const stateFile = join(await mkdtemp(join(tmpdir(), 'emulator-')), 'zoom.json')
  const { child } = run({ ZOOM_EMULATOR_STATE: stateFile })
  const [message] = await once(child, 'message')
  expect(message).toEqual({
    type: 'listening',
    origin: expect.stringMatching(/^http:\/\/localhost:\d+$/),
    oauth_url: message.origin,
    api_url: `${message.origin}/v2`,
  })
  expect((await fetch(`${message.origin}/_emulator/state`)).status).toBe(404)

  child.disconnect()
  expect(await once(child, 'exit')).toEqual([0, null])
  expect(JSON.parse(await readFile(stateFile, 'utf8')).accounts).toHaveLength(5)
})

test('exits with one line when its port is taken', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const address = other.address()
  const port = String(address !== null && typeof address === 'object' ? address.port : 0)
  const { child, complaint } = run({ ZOOM_EMULATOR_PORT: port })
  expect(await once(child, 'exit')).toEqual([1, null])
  expect(complaint()).toBe(`ZOOM_EMULATOR_PORT is ${port}, but another program listens on 127.0.0.1:${port}.\n`)
  other.close()
})

test.each([
  ['ZOOM_EMULATOR_PORT', 'many'],
  ['ZOOM_EMULATOR_CONTROL', 'yes'],
  ['PUBLIC_URL', 'parley.example'],
])('names a bad %s and its value', (name, value) => {
  expect(() => readConfig({ [name]: value })).toThrow(`${name} is "${value}", but it may only be`)
})

test('derives the redirect and the webhook target from the public address, unless they are set', () => {
  const PUBLIC_URL = 'https://parley.example/'
  expect(readConfig({ PUBLIC_URL, BIND: '' })).toMatchObject({
    bind: '127.0.0.1',
    redirectUris: ['https://parley.example/api/oauth/callback'],
    webhookUrl: 'https://parley.example/api/zoom/webhooks',
  })
  expect(readConfig({ ZOOM_WEBHOOK_URL: 'http://localhost:1/hook' }).webhookUrl).toBe('http://localhost:1/hook')
})
