import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { MINUTE_MS } from '../../../../shared/dates.ts'
import { buildHost, buildMaster, PASSWORD, readAudit } from '../../../../test/factories/accounts.ts'
import { expectToast, fill, inDialog, openPage, press, savedCount, savedCsv } from '../../../../test/pages/page.tsx'
import { setup } from '../../../../test/servers/setup.ts'

let now = Date.now()
const server = await setup({ now: () => now })

test("the data of a host's account is saved as a file, once the master has confirmed, and audited", async () => {
  const master = await buildMaster(server)
  const host = await buildHost(server)
  const exports = async () =>
    (await readAudit(server, master)).entries.filter(({ action }) => action === 'host_exported').length
  const { user, refuse } = openPage(server, '/master/hosts', { ...master, role: 'master' })
  await press(user, `View ${host.username}`)
  const details = await inDialog('Host Details')
  details.getByRole('heading', { name: 'Data' })

  const stop = refuse('GET', /\/export$/)
  await press(user, 'Export data', details)
  await expectToast('The file could not be fetched. Please try again.')
  stop()
  now += 20 * MINUTE_MS
  await press(user, 'Export data', details)
  const dialog = await inDialog("Confirm it's you")
  await press(user, 'Cancel', dialog)
  await expectToast("Please confirm that it's you.")
  expect([savedCount(), await exports()]).toEqual([0, 0])

  await press(user, 'Export data', details)
  fill(await screen.findByLabelText('Password'), PASSWORD)
  await press(user, 'Confirm')
  const { name, lines } = await savedCsv()
  expect(name).toBe(`host-${host.id}.json`)
  expect(lines.join('\n')).toContain(host.email)
  expect(await exports()).toBe(1)
  await waitFor(() => expect(screen.queryByRole('dialog', { name: "Confirm it's you" })).toBeNull())
})
