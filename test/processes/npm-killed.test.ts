import { spawn } from 'node:child_process'
import { expect, test } from 'vitest'
import { eventually } from '../eventually.ts'
import { freePort } from '../servers/free-port.ts'

/** Starts a command like npm, and stays as its parent. */
const PARENT = `require('node:child_process').spawn('node', ['bin/run.mjs', 'zoom-emulator'], { stdio: 'inherit' })`

test('a program of npm run ends when npm is killed', async () => {
  const port = await freePort()
  const env = { ...process.env, npm_lifecycle_event: 'zoom-emulator', ZOOM_EMULATOR_PORT: String(port), BIND: '' }
  const npm = spawn(process.execPath, ['-e', PARENT], { env, stdio: 'ignore' })
  const isUp = () =>
    fetch(`http://127.0.0.1:${port}/`).then(
      ({ ok }) => ok,
      () => false,
    )
  await eventually(async () => expect(await isUp()).toBe(true))
  npm.kill('SIGKILL')
  await eventually(async () => expect(await isUp()).toBe(false))
})
