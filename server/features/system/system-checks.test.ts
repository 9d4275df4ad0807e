import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import type { CheckName } from '../../../shared/system.ts'
import { buildHost, buildRoomUser } from '../../../test/factories/accounts.ts'
import { buildZoomHost, listRecordings, putRecording, setupWithZoom } from '../../../test/zoom/emulated-zoom.ts'
import { secretsFrom } from '../../lib/secrets.ts'
import { SystemChecks } from './system-checks.ts'

const server = await setupWithZoom()

async function check(name: CheckName, systemChecks = server.deps.systemChecks) {
  return (await systemChecks.run()).checks.find((one) => one.name === name)
}

test('calls at the same time share one run', async () => {
  const [first, second] = await Promise.all([server.deps.systemChecks.run(), server.deps.systemChecks.run()])
  expect(second).toBe(first)
  expect(await server.deps.systemChecks.run()).not.toBe(first)
})

test('a key that does not open what is stored is a problem', async () => {
  await buildRoomUser(server, await buildHost(server))
  expect(await check('key')).toMatchObject({ status: 'ok', message: 'It opens 1 stored secret.' })
  const other = new SystemChecks({ ...server.deps, secrets: secretsFrom('another key of this test, 0123456789') })
  expect(await check('key', other)).toMatchObject({ status: 'problem', message: expect.stringContaining('1 of 1') })
})

test('hosts that have to connect Zoom again are named', async () => {
  expect(await check('zoom-hosts')).toMatchObject({ status: 'note' })
  const host = await buildZoomHost(server)
  const isInTrouble = (reconnect_needed: boolean) =>
    server.deps.db
      .updateTable('zoom_links')
      .set({ reconnect_needed, warnings: JSON.stringify([]), scopes: '' })
      .where('host_id', '=', host.id)
      .execute()
  await isInTrouble(false)
  expect(await check('zoom-hosts')).toMatchObject({ status: 'ok' })
  await isInTrouble(true)
  expect(await check('zoom-hosts')).toMatchObject({
    status: 'warn',
    message: `1 of 1 host in trouble: ${host.username}.`,
  })
})

test('a database of an older release is a warning, of a newer one a problem', async () => {
  const setVersion = (version: string) => server.deps.db.updateTable('installation').set({ version }).execute()
  await setVersion('0.0.9')
  expect(await check('version')).toMatchObject({ status: 'warn' })
  await setVersion('999.0.0')
  expect(await check('version')).toMatchObject({ status: 'problem', advice: 'Start 999.0.0, or restore a backup.' })
  await server.deps.db.updateTable('installation').set({ version: null }).execute()
  expect(await check('version')).toMatchObject({ status: 'ok' })
})

test('what was found stands for ten minutes', async () => {
  const checks = new SystemChecks(server.deps)
  const first = await checks.recent()
  expect(await checks.recent()).toBe(first)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10 * 60_000 })
  expect(await checks.recent()).not.toBe(first)
})

test('an archived recording whose file is missing is a problem of the data folder', async () => {
  const host = await buildZoomHost(server)
  const { DATA_DIR } = server.deps.config
  await chmod(DATA_DIR, 0o700)
  await putRecording(server, host, '2026-11-20T10:00:00Z')
  await listRecordings(server, host)
  expect(await check('data-dir')).toMatchObject({ status: 'ok' })
  const path = `archive/${host.id}/a recording.m4a`
  await server.deps.db.updateTable('recordings').set({ archived_path: path }).execute()
  expect(await check('data-dir')).toMatchObject({
    status: 'problem',
    message: 'An archived recording is not in it.',
  })
  await mkdir(join(DATA_DIR, 'archive', host.id), { recursive: true })
  await writeFile(join(DATA_DIR, path), 'sound')
  expect(await check('data-dir')).toMatchObject({ status: 'ok' })
})

test("the address for Zoom's events is asked with a signed request where no event came for a day", async () => {
  const origin = await server.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = new URL(origin)
  const at = (secret: string, url = `http://localhost:${port}`) =>
    new SystemChecks({
      ...server.deps,
      config: { ...server.deps.config, PUBLIC_URL: url, ZOOM_WEBHOOK_SECRET: secret },
    })
  const own = server.deps.config.ZOOM_WEBHOOK_SECRET ?? ''
  expect(await check('webhook', at(own))).toMatchObject({
    status: 'ok',
    message: 'No event has come yet, but the address answers a signed one.',
  })
  expect(await check('webhook', at('the secret of another server'))).toMatchObject({ status: 'problem' })
  expect(await check('webhook', at(own, 'http://localhost:9'))).toMatchObject({ status: 'problem' })
})
