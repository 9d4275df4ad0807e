import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates } from 'node:tls'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startSmtp } from '../../../test/servers/smtp.ts'
import { readConfig } from '../../config.ts'
import { createLogger } from '../../lib/logger.ts'
import { secretsFrom } from '../../lib/secrets.ts'
import { SingleFlight } from '../../lib/single-flight.ts'
import { backupName } from '../backup/kept-backups.ts'
import { type CheckDeps, type Finding, NotChecked, note } from './check.ts'
import { runChecks } from './run-checks.ts'

const smtp = await startSmtp()
const APP = { ZOOM_CLIENT_ID: 'app', ZOOM_CLIENT_SECRET: 'not-to-be-shown' }

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'parley-checks-'))
  onTestFinished(() => rm(path, { recursive: true }))
  return path
}

const depsOf = (DATA_DIR: string, env: Record<string, string> = {}, deps: Partial<CheckDeps> = {}): CheckDeps => ({
  config: readConfig({ DATA_DIR, PUBLIC_URL: 'http://localhost:9', ...env }),
  db() {
    throw new NotChecked(note('There is no database yet.'))
  },
  secrets: async () => secretsFrom('a key of this test alone, 0123456789'),
  isServed: false,
  log: createLogger('silent', { write() {} }),
  measureDisk: async () => ({ blocks: 100, bfree: 50, bavail: 50, bsize: 1_000_000_000 }),
  ...deps,
})

async function check(name: string, env: Record<string, string> = {}, deps: Partial<CheckDeps> = {}) {
  const checks = await runChecks(depsOf(await folder(), env, deps))
  return checks.find((one) => one.name === name)
}

test.each([
  ['ok', 30, 1_000_000_000],
  ['warn', 19, 1_000_000_000],
  ['problem', 4, 1_000_000_000],
  ['problem', 30, 10_000_000], // 300 MB
])('a disk is %s with %i of 100 blocks free, and 100 more for root alone', async (status, bavail, bsize) => {
  expect(
    await check('disk', {}, { measureDisk: async () => ({ blocks: 200, bfree: bavail + 100, bavail, bsize }) }),
  ).toMatchObject({
    status,
  })
})

test.each([
  ['ok', 0o700],
  ['warn', 0o750],
  ['problem', 0o777],
])('the data folder is %s with mode %o', async (status, mode) => {
  const DATA_DIR = await folder()
  await chmod(DATA_DIR, mode)
  expect(await check('data-dir', { DATA_DIR })).toMatchObject({ status })
})

/** Starts what answers in the place of Zoom, with a clock of its own. */
async function startZoom(status: number, aheadMs: number) {
  const zoom = createServer((_request, response) => {
    response.setHeader('date', new Date(Date.now() + aheadMs).toUTCString())
    response.writeHead(status).end('{}')
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void zoom.close())
  await once(zoom, 'listening')
  const origin = `http://127.0.0.1:${(zoom.address() as AddressInfo).port}`
  return { ...APP, ZOOM_OAUTH_URL: origin, ZOOM_SDK_URL: origin }
}

test.each([
  ['ok', 0],
  ['warn', 60_000],
  ['warn', -60_000],
])("the clock is %s where Zoom's is %i ms ahead", async (status, aheadMs) => {
  expect(await check('clock', await startZoom(200, aheadMs))).toMatchObject({ status })
})

test.each([
  ['sdk', 200, 'ok'],
  ['sdk', 404, 'problem'],
  ['zoom-app', 401, 'problem'],
])('%s is judged by the status %i: %s', async (name, answer, status) => {
  const found = await check(name, await startZoom(answer, 0))
  expect(found).toMatchObject({ status })
  expect(JSON.stringify(found)).not.toContain(APP.ZOOM_CLIENT_SECRET)
})

test('where nothing is set up, checks are notes', async () => {
  for (const name of [
    'redis',
    'names',
    'certificate',
    'zoom-app',
    'webhook',
    'sdk',
    'clock',
    'mail',
    'key',
    'database',
  ])
    expect(await check(name)).toMatchObject({ name, status: 'note' })
})

test('https without TRUST_PROXY, and Zoom without the secret of its events, are warnings', async () => {
  const env = { ...(await startZoom(200, 0)), PUBLIC_URL: 'https://localhost:9' }
  expect(await check('settings', env)).toMatchObject({ status: 'warn' })
  expect(await check('settings', { ...env, TRUST_PROXY: 'true' })).toMatchObject({ status: 'ok' })
  expect(await check('webhook', env)).toMatchObject({ status: 'warn' })
})

test.each([
  [
    'redis+sentinel://:not-to-be-shown@127.0.0.1:9,127.0.0.1:10/main',
    'Redis main behind Sentinel at 127.0.0.1:9, 127.0.0.1:10',
  ],
  ['redis+cluster://:not-to-be-shown@127.0.0.1:9,127.0.0.1:10', 'Redis Cluster at 127.0.0.1:9, 127.0.0.1:10'],
])('%s is a problem where nothing answers, and its password is not shown', async (REDIS_URL, name) => {
  const env = {
    ...APP,
    DATABASE_URL: 'postgresql://127.0.0.1:9/none',
    SECRET_KEY: 'abcdefghijklmnopqrstuvwxyz0123456789',
  }
  const found = await check('redis', { ...env, ...(await startZoom(200, 0)), REDIS_URL })
  expect(found?.status).toBe('problem')
  expect(JSON.stringify(found)).not.toContain('not-to-be-shown')
  expect(found?.message).toMatch(new RegExp(`^(${name} does not answer|No answer within 5 s)`))
})

test('Redis that refuses connections is a problem', async () => {
  const env = {
    ...APP,
    DATABASE_URL: 'postgresql://127.0.0.1:9/none',
    SECRET_KEY: 'abcdefghijklmnopqrstuvwxyz0123456789',
  }
  const REDIS_URL = 'redis://:not-to-be-shown@127.0.0.1:9'
  const found = await check('redis', { ...env, ...(await startZoom(200, 0)), REDIS_URL })
  expect(found).toMatchObject({ status: 'problem', message: 'Redis at 127.0.0.1:9 does not answer.' })
})

const NAMES = ['localhost', 'master.localhost', 'host.localhost', 'phone.localhost', 'meeting.phone.localhost']

/** Starts a site with a certificate of so many days, signed by its own key. */
async function startSite(days: number) {
  const at = await folder()
  const [key, cert] = [join(at, 'key.pem'), join(at, 'cert.pem')]
  const kind = [
    ...['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-subj', '/CN=localhost'],
    ...['-addext', `subjectAltName=${NAMES.map((name) => `DNS:${name}`).join()}`],
  ]
  execFileSync('openssl', ['req', ...kind, '-days', String(days), '-keyout', key, '-out', cert], { stdio: 'ignore' })
  const site = createTlsServer({ key: readFileSync(key), cert: readFileSync(cert) }, (socket) => {
    socket.on('error', () => {})
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void site.close())
  await once(site, 'listening')
  return { url: `https://localhost:${(site.address() as AddressInfo).port}`, cert: readFileSync(cert, 'utf8') }
}

test.each([
  ['has expired', 91],
  ['is not trusted', 0],
])('a certificate that %s is a problem', async (words, daysLater) => {
  const { url: PUBLIC_URL } = await startSite(90)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + daysLater * 86_400_000 })
  onTestFinished(() => void vi.useRealTimers())
  const found = await check('certificate', { ...(await startZoom(200, 0)), PUBLIC_URL })
  expect(found).toMatchObject({ status: 'problem', message: expect.stringContaining(words) })
})

test.each([
  ['ok', 22],
  ['warn', 21],
  ['warn', 8],
  ['problem', 7],
  ['problem', 1],
])('a trusted certificate is %s %i days before its end', async (status, days) => {
  const { url: PUBLIC_URL, cert } = await startSite(days)
  const trusted = getCACertificates('default')
  setDefaultCACertificates([...trusted, cert])
  onTestFinished(() => setDefaultCACertificates(trusted))
  const found = await check('certificate', { ...(await startZoom(200, 0)), PUBLIC_URL })
  const left = days === 1 ? '0 days' : `${days - 1} day`
  expect(found).toMatchObject({ status, message: expect.stringContaining(`ends in ${left}`) })
})

test.each([
  ['ok', 1],
  ['problem', 3],
])('the backup is %s %i days after the newest one, with one due daily', async (status, days) => {
  const BACKUP_TO = await folder()
  const env = { BACKUP_TO, BACKUP_PASSPHRASE: 'a passphrase of words' }
  expect(await check('backup', env)).toMatchObject({ status: 'problem' })
  await writeFile(join(BACKUP_TO, backupName(Date.now() - days * 86_400_000)), '')
  expect(await check('backup', env)).toMatchObject({ status })
  await rm(BACKUP_TO, { recursive: true })
  expect(await check('backup', env)).toMatchObject({
    status: 'problem',
    message: `${BACKUP_TO} cannot be read (ENOENT).`,
  })
  await mkdir(BACKUP_TO)
})

test('mail is off, or the mail server answers, or refuses', async () => {
  expect(await check('mail')).toEqual({
    name: 'mail',
    status: 'note',
    message: 'Off: SMTP_URL is not set.',
    advice: null,
  })
  const SMTP_URL = smtp.url
  expect(await check('mail', { SMTP_URL, MAIL_FROM: 'parley@choir.example' })).toMatchObject({
    status: 'ok',
    message: '127.0.0.1 accepts the user and the password.',
  })
  expect(await check('mail', { SMTP_URL })).toMatchObject({ status: 'warn' })
  expect(
    await check('mail', { SMTP_URL: `smtp://127.0.0.1:${smtp.port}`, MAIL_FROM: 'a@choir.example' }),
  ).toMatchObject({
    status: 'ok',
    message: '127.0.0.1 answers.',
  })
  const refused = await check('mail', { SMTP_URL: SMTP_URL.replace('parley:', 'parley:not-') })
  expect(refused).toMatchObject({ status: 'problem', message: '127.0.0.1: 535 The password is wrong' })
  expect(JSON.stringify(refused)).not.toContain('kettle')
  expect(await check('mail', { SMTP_URL: 'smtp://127.0.0.1:1' })).toMatchObject({
    status: 'problem',
    message: expect.stringContaining('ECONNREFUSED'),
  })
  expect(smtp.mails).toEqual([])
})

test('a check that hangs is not begun again before it has ended', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const measureDisk = vi.fn(() => new Promise<never>(() => {}))
  const deps = depsOf(await folder(), {}, { measureDisk })
  const begun = new SingleFlight<Finding>()
  for (let run = 0; run < 3; run++) {
    const running = runChecks(deps, begun)
    await vi.advanceTimersByTimeAsync(5_000)
    const disk = (await running).find(({ name }) => name === 'disk')
    expect(disk).toMatchObject({ status: 'problem', message: 'No answer within 5 s.' })
  }
  expect(measureDisk).toHaveBeenCalledTimes(1)
})
