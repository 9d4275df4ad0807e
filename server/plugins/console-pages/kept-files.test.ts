import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DAY_MS } from '../../../shared/dates.ts'
import { startTestApp } from '../../../test/start.ts'
import { keepFiles } from './kept-files.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-kept-'))
})
afterEach(() => rm(folder, { recursive: true }))

async function build(release: string): Promise<string> {
  const built = join(folder, release)
  await mkdir(join(built, 'assets'), { recursive: true })
  await writeFile(join(built, 'assets', `${release}-B4k3.js`), `"${release}"`)
  return built
}
const DATA = 'data'
/** From the working folder, as the default is. */
const dataDir = () => relative(process.cwd(), join(folder, DATA))

test('a server serves the files of the releases that others have started with, and caches them as its own', async () => {
  const before = await startTestApp({ config: { DATA_DIR: dataDir() } })
  for (const release of ['former', 'later']) await keepFiles(await build(release), dataDir(), Date.now())
  for (const release of ['former', 'later']) {
    const { statusCode, headers, body } = await before.app.inject({ url: `/assets/${release}-B4k3.js` })
    expect([statusCode, body]).toEqual([200, `"${release}"`])
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(headers['content-type']).toMatch(/javascript/)
  }
  for (const url of ['/assets/', '/assets/..%2f..%2fsecret-key', '/former-B4k3.js'])
    expect([url, (await before.app.inject({ url })).statusCode]).toEqual([url, 404])
  await before.close()
})

test('servers that start at once over one folder do not disturb each other', async () => {
  const built = await build('own')
  for (let file = 0; file < 50; file++) await writeFile(join(built, 'assets', `${file}-B4k3.js`), '')
  await Promise.all(Array.from({ length: 5 }, () => keepFiles(built, dataDir(), Date.now())))
  expect(await readdir(join(dataDir(), 'console/assets'))).toHaveLength(51)
})

test('the files of a release are removed half a year after a server last started with it', async () => {
  const [start, day] = [Date.now(), DAY_MS]
  await keepFiles(await build('old'), dataDir(), start)
  await keepFiles(await build('older'), dataDir(), start - 100 * day)
  await keepFiles(await build('new'), dataDir(), start + 100 * day)
  const kept = await readdir(join(dataDir(), 'console/assets'))
  expect(kept.toSorted()).toEqual(['new-B4k3.js', 'old-B4k3.js'])
})
