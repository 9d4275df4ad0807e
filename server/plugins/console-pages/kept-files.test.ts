import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { DAY_MS } from '../../../shared/dates.ts'
import { startTestApp } from '../../../test/servers/start.ts'
import { secretsFrom } from '../../lib/secrets.ts'
import { KeptFiles, keepFiles } from './kept-files.ts'

const SECRET_KEY = 'a secret key for tests alone, 32 bytes or more'
const secrets = secretsFrom(SECRET_KEY)
const HASH = 'B4k3_x-0'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-kept-'))
})
afterEach(() => rm(folder, { recursive: true }))

async function build(release: string): Promise<string> {
  const built = join(folder, release)
  await mkdir(join(built, 'assets'), { recursive: true })
  await writeFile(join(built, 'assets', `${release}-${HASH}.js`), `"${release}"`)
  return built
}
const DATA = 'data'
/** Relative to the working folder, like the default. */
const dataDir = () => relative(process.cwd(), join(folder, DATA))

test('a server serves the files of the releases that others have started with, and caches them as its own', async () => {
  const before = await startTestApp({ config: { DATA_DIR: dataDir(), SECRET_KEY } })
  for (const release of ['former', 'later']) await keepFiles(await build(release), dataDir(), secrets, Date.now())
  for (const release of ['former', 'later']) {
    const { statusCode, headers, body } = await before.app.inject({ url: `/assets/${release}-${HASH}.js` })
    expect([statusCode, body]).toEqual([200, `"${release}"`])
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(headers['content-type']).toMatch(/javascript/)
  }
  for (const url of ['/assets/', '/assets/..%2f..%2fsecret-key', `/former-${HASH}.js`])
    expect([url, (await before.app.inject({ url })).statusCode]).toEqual([url, 404])
  await before.close()
})

test('serves no file that was put into the shared folder by others, and logs it', async () => {
  const { app, close, deps } = await startTestApp({ config: { DATA_DIR: dataDir(), SECRET_KEY } })
  const warn = vi.spyOn(deps.log, 'warn')
  await keepFiles(await build('former'), dataDir(), secrets, Date.now())
  const [files, seals] = [join(dataDir(), 'console/assets'), join(dataDir(), 'console/seals')]
  const statusOf = async (url: string) => (await app.inject({ url, headers: { host: 'master.localhost' } })).statusCode

  const own = `former-${HASH}.js`
  const sealOfOwn = await readFile(join(seals, own))
  for (const name of ['planted-AAAA.js', `planted-${HASH}.xhtml`, `planted-${HASH}.js`, `planted-${HASH}.svg`]) {
    await writeFile(join(files, name), 'planted')
    await writeFile(join(seals, name), sealOfOwn)
    expect([name, await statusOf(`/assets/${name}`)]).toEqual([name, 404])
  }
  await writeFile(join(dataDir(), 'console', `planted-${HASH}.js`), 'planted')
  expect(await statusOf(`/planted-${HASH}.js`)).toBe(404)

  expect(await statusOf(`/assets/${own}`)).toBe(200)
  await writeFile(join(files, own), 'replaced')
  expect(await statusOf(`/assets/${own}`)).toBe(404)
  expect(await statusOf(`/assets/${own}`)).toBe(404)
  expect(warn.mock.calls.filter(([, event]) => event === 'console.file_refused')).toEqual(
    [`planted-${HASH}.js`, `planted-${HASH}.svg`, own].map((file) => [{ file }, 'console.file_refused']),
  )

  await keepFiles(await build('former'), dataDir(), secrets, Date.now())
  expect(await statusOf(`/assets/${own}`)).toBe(200)
  await close()
})

test('sends a kept file as small as the browser can take it', async () => {
  const { app, close } = await startTestApp({ config: { DATA_DIR: dataDir(), SECRET_KEY } })
  const built = await build('former')
  const name = `former-${HASH}.js`
  await writeFile(join(built, 'assets', `${name}.br`), 'brotli')
  await writeFile(join(built, 'assets', `${name}.gz`), 'gzip')
  await keepFiles(built, dataDir(), secrets, Date.now())
  for (const [accepted, coding, sent] of [
    ['gzip, deflate, br', 'br', 'brotli'],
    ['gzip, deflate', 'gzip', 'gzip'],
    ['identity', undefined, '"former"'],
  ]) {
    const { headers, body } = await app.inject({ url: `/assets/${name}`, headers: { 'accept-encoding': accepted } })
    expect([headers['content-encoding'], body]).toEqual([coding, sent])
    expect(headers['content-type']).toMatch(/javascript/)
  }
  expect((await app.inject({ url: `/assets/${name}.br` })).statusCode).toBe(404)
  await close()
})

test('many readers of a file share what was read of it', async () => {
  await keepFiles(await build('own'), dataDir(), secrets, Date.now())
  const kept = new KeptFiles(dataDir(), secrets, pino({ level: 'silent' }))
  const [first, second] = [await kept.read(`own-${HASH}.js`, ''), await kept.read(`own-${HASH}.js`, '')]
  expect(first?.content.toString()).toBe('"own"')
  expect(second?.content).toBe(first?.content)
})

test('only the server may enter the folders', async () => {
  await keepFiles(await build('own'), dataDir(), secrets, Date.now())
  for (const inside of ['console', 'console/assets', 'console/seals'])
    expect([inside, (await stat(join(dataDir(), inside))).mode & 0o777]).toEqual([inside, 0o700])
})

test('servers that start at once over one folder do not disturb each other', async () => {
  const built = await build('own')
  for (let file = 0; file < 50; file++) await writeFile(join(built, 'assets', `${file}-${HASH}.js`), '')
  await Promise.all(Array.from({ length: 5 }, () => keepFiles(built, dataDir(), secrets, Date.now())))
  expect(await readdir(join(dataDir(), 'console/assets'))).toHaveLength(51)
})

test('the files of a release are removed half a year after a server last started with it', async () => {
  const [start, day] = [Date.now(), DAY_MS]
  await keepFiles(await build('old'), dataDir(), secrets, start)
  await keepFiles(await build('older'), dataDir(), secrets, start - 100 * day)
  await keepFiles(await build('new'), dataDir(), secrets, start + 100 * day)
  for (const folder of ['assets', 'seals']) {
    const kept = await readdir(join(dataDir(), 'console', folder))
    expect(kept.toSorted()).toEqual([`new-${HASH}.js`, `old-${HASH}.js`])
  }
})
