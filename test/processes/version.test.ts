import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { emptyDataFolder, runServerToItsEnd } from '../servers/server-process.ts'

test('--version prints the version and starts nothing, whatever the settings are', async () => {
  const folder = await emptyDataFolder()
  const DATA_DIR = join(folder.path, 'data')
  const ended = await runServerToItsEnd({ DATA_DIR, PORT: 'none' }, ['--version'])
  expect(ended).toEqual({ code: 0, output: `${packageJson.version}\n` })
  expect(existsSync(DATA_DIR)).toBe(false)
  await folder.remove()
})
