import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { startEmbeddedEmulator } from './embedded-emulator.ts'

const DATA_DIR = await mkdtemp(join(tmpdir(), 'parley-data-'))
afterAll(() => rm(DATA_DIR, { recursive: true }))

test.each([
  ['its own', {}, (origin: string) => `${origin}/sdk`],
  ['the one that is set', { ZOOM_SDK_URL: 'https://source.zoom.us/' }, () => 'https://source.zoom.us'],
])('the Meeting SDK comes from %s', async (_whose, env, expected) => {
  const emulator = await startEmbeddedEmulator(readConfig({ PORT: '0', DATA_DIR, ...env }))
  await emulator.close()
  expect(emulator.settings.ZOOM_SDK_URL).toBe(expected(emulator.origin))
})

test('it answers this machine alone where the server answers every network', async () => {
  const settings = { PORT: '0', DATA_DIR, BIND: '0.0.0.0', ZOOM_DEMO: 'true' }
  const emulator = await startEmbeddedEmulator(readConfig(settings))
  const { port } = new URL(emulator.origin)
  const statusAt = async (host: string) => (await fetch(`http://${host}:${port}/`)).status
  try {
    expect(await statusAt('127.0.0.1')).toBe(200)
    await expect(statusAt('127.0.0.2')).rejects.toThrow() // a server on 0.0.0.0 would answer here
  } finally {
    await emulator.close()
  }
})

test('a start without the files of the stand-in says what to do, as in the image', async () => {
  const config = readConfig({ PORT: '0', DATA_DIR, ZOOM_DEMO: 'true' })
  const missing = new URL('no-emulator.ts', import.meta.url)
  await expect(startEmbeddedEmulator(config, missing)).rejects.toThrow(
    'Set ZOOM_CLIENT_ID, or start Parley in a clone.',
  )
})
