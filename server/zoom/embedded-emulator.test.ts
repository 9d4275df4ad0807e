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
