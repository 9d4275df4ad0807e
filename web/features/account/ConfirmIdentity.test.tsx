import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { MINUTE_MS } from '../../../shared/dates.ts'
import {
  buildHost,
  buildMaster,
  call,
  PASSWORD,
  type SignedIn,
  type TestHost,
} from '../../../test/factories/accounts.ts'
import { expectToast, fill, inDialog, openPage, press } from '../../../test/pages/page.tsx'
import { setup } from '../../../test/servers/setup.ts'

let now = Date.now()
const server = await setup({ now: () => now })
let master: SignedIn & { id: string; email: string }
let host: TestHost
beforeEach(async () => {
  master = await buildMaster(server)
  host = await buildHost(server)
  now += 20 * MINUTE_MS
})

const isDeleted = async () => (await call(server, 'GET', `/admin/hosts/${host.id}`, { as: master })).status === 404

async function askToDelete() {
  const page = openPage(server, '/master/hosts', { ...master, role: 'master' })
  await press(page.user, `Delete ${host.username}`)
  await press(page.user, 'Delete host', await inDialog(`Delete ${host.username}?`))
  await screen.findByRole('dialog', { name: "Confirm it's you" })
  return page
}

test('an act that needs a confirmation asks for the password, then goes on by itself', async () => {
  const { user, calls } = await askToDelete()
  await press(user, 'Confirm')
  await screen.findByText('Password is required')
  fill(screen.getByLabelText('Password'), 'a guess')
  await press(user, 'Confirm')
  await screen.findByText('This is not your current password.')
  expect(await isDeleted()).toBe(false)
  fill(screen.getByLabelText('Password'), PASSWORD)
  await press(user, 'Confirm')
  await expectToast(
    `Host "${host.username}" deleted successfully. All associated data has been removed. It can be restored for 30 days.`,
  )
  expect(await isDeleted()).toBe(true)
  expect(screen.queryByRole('dialog', { name: "Confirm it's you" })).toBeNull()
  expect(calls.filter((one) => one.startsWith('DELETE /admin/hosts/'))).toHaveLength(2)
})

test('an act is not done without the confirmation that it needs', async () => {
  const { user } = await askToDelete()
  await press(user, 'Cancel')
  await expectToast("Failed to delete host: Please confirm that it's you.")
  await waitFor(() => expect(screen.queryByRole('dialog', { name: "Confirm it's you" })).toBeNull())
  expect(await isDeleted()).toBe(false)
})
