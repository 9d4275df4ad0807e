import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../servers/free-port.ts'
import { type DataFolder, dataFolder, MASTER, PROGRAM, SHORT_LIVED_FLAGS } from '../servers/server-process.ts'

let folder: DataFolder
let child: ChildProcess
let port: number

beforeAll(async () => {
  folder = await dataFolder()
  port = await freePort()
  const args = ['-c', 'ulimit -n 800; exec "$0" "$@"', process.execPath, ...SHORT_LIVED_FLAGS, fileURLToPath(PROGRAM)]
  child = spawn('sh', args, {
    env: {
      ...{ PATH: process.env.PATH, LOG_LEVEL: 'warn', DATA_DIR: folder.path, PORT: String(port) },
      ...{ MASTER_EMAIL: MASTER.email, MASTER_PASSWORD: MASTER.password },
      ...{ ZOOM_CLIENT_ID: 'client', ZOOM_CLIENT_SECRET: 'secret' }, // without its emulator
    },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  await once(child, 'message')
})
afterAll(async () => {
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
  await folder.remove()
})

test('silent connections of one address do not take all files', async () => {
  const strangers = Array.from({ length: 1_000 }, () => connect(port, '127.0.0.1').on('error', () => {}))
  await Promise.all(strangers.map((one) => one.destroyed || once(one, 'connect')))
  const guests = Array.from({ length: 40 }, () => fetch(`http://127.0.0.1:${port}/healthz`))
  expect((await Promise.all(guests)).filter(({ status }) => status === 200)).toHaveLength(40)
  for (const one of strangers) one.destroy()
})
