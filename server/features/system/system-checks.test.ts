import { expect, test, vi } from 'vitest'
import type { CheckName } from '../../../shared/system.ts'
import { buildHost, buildRoomUser } from '../../../test/factories/accounts.ts'
import { buildZoomHost, setupWithZoom } from '../../../test/zoom/emulated-zoom.ts'
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
