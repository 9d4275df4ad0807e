import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { emptyDataFolder, runServerToItsEnd } from '../servers/server-process.ts'

const { version } = packageJson

test('--version prints version and commit and starts nothing, whatever the settings are', async () => {
  const folder = await emptyDataFolder()
  const DATA_DIR = join(folder.path, 'data')
  const ended = await runServerToItsEnd({ DATA_DIR, PORT: 'none' }, ['--version'])
  const commit =
    existsSync('.git') && execFileSync('git', ['rev-parse', '--short=7', 'HEAD'], { encoding: 'utf8' }).trim()
  expect(ended).toEqual({ code: 0, output: `parley ${version}${commit ? ` (${commit})` : ''}\n` })
  expect(await runServerToItsEnd({ DATA_DIR, PORT: 'none', PARLEY_COMMIT: 'abc1234' }, ['--version'])).toEqual({
    code: 0,
    output: `parley ${version} (abc1234)\n`,
  })
  expect(existsSync(DATA_DIR)).toBe(false)
  await folder.remove()
})

test('npm start -- --version installs and builds nothing, and names no commit outside of a clone', async () => {
  const { path, remove } = await emptyDataFolder()
  const release = join(path, 'parley')
  for (const part of ['package.json', 'package-lock.json', 'bin/run.mjs', 'server'])
    await cp(part, join(release, part), { recursive: true })
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', path, '-c', 'user.name=x', '-c', 'user.email=x', ...args])
  git('init', '-q')
  git('commit', '-q', '--allow-empty', '--message', 'A repository of something else')

  const env = { PATH: process.env.PATH ?? '', PORT: 'none' }
  const before = await readdir(release)
  const printed = execFileSync(process.execPath, ['bin/run.mjs', 'start', '--version'], { cwd: release, env })
  expect(printed.toString()).toBe(`parley ${version}\n`)
  expect(await readdir(release)).toEqual(before)
  await remove()
})
