import { http } from '../server-process.ts'
import { FAILED_CALL } from './support/console-errors.ts'
import { cutOffOnce } from './support/cut-off.ts'
import { actOnHost } from './support/host-list.ts'
import { addHost, hostNamed, signInHost, uniqueName } from './support/hosts.ts'
import { expectShownBriefly } from './support/shown-briefly.ts'
import { expect, test } from './support/test.ts'

test('extends and cancels a subscription, and reverses a cancellation by extending', async ({
  masterPage: page,
  server,
  host,
  consoleErrors,
}) => {
  consoleErrors.allow(FAILED_CALL)
  const { username, password } = host
  const dialog = page.getByRole('dialog', { name: 'Manage Subscription' })
  const extend = dialog.getByRole('button', { name: 'Extend', exact: true })
  const cancel = dialog.getByRole('button', { name: 'Cancel subscription' })
  const question = page.getByRole('dialog', { name: `Cancel the subscription of ${username}?` })
  const agree = () => question.getByRole('button', { name: 'Cancel subscription' }).click()

  await page.clock.install()
  await actOnHost(page, server, host, 'Manage subscription of')
  await cutOffOnce(page, '/admin/hosts/*/extend-subscription')
  await extend.click()
  await expect(dialog.getByText('Failed to extend subscription')).toBeVisible()
  await cutOffOnce(page, '/admin/hosts/*/cancel-subscription')
  await cancel.click()
  await agree()
  await expect(dialog.getByText('Failed to cancel subscription')).toBeVisible()
  await expect(question).toHaveCount(0)

  await cancel.click()
  await expectShownBriefly(page, dialog.getByText('Subscription cancelled', { exact: true }), agree)
  await expect(dialog).toHaveCount(0) // by itself
  await expect(page.getByRole('row', { name: username }).getByText('Cancelled')).toBeVisible()
  expect(await http(server, 'POST', '/auth/host/login', { body: { username, password } })).toMatchObject({
    status: 403,
    body: { code: 'subscription_cancelled' },
  })

  await actOnHost(page, server, host, 'Manage subscription of')
  await expect(dialog.getByText('The months start today, and the host can log in again.')).toBeVisible()
  await expect(cancel).toHaveCount(0)
  await dialog.getByText('3 months', { exact: true }).click()
  await expectShownBriefly(page, dialog.getByText('Subscription extended by 3 months'), () => extend.click())
  await expect(dialog).toHaveCount(0)
  await signInHost(server, host)

  await actOnHost(page, server, host, 'View')
  const details = page.getByRole('dialog', { name: 'Host Details' })
  await expect(details.getByText(host.email)).toBeVisible()
  await expect(details.getByText('Extended, 3 months')).toBeVisible()
  await expect(details.getByText('Subscription cancelled')).toBeVisible()
  await expect(details.getByText('Host created')).toBeVisible()
  await details.getByRole('button', { name: 'Edit host' }).click()
  await expect(page.getByRole('dialog', { name: 'Edit Host' })).toBeVisible()
  await expect(details).toHaveCount(0)
})

test('extends several after a preview, and names one that was changed since', async ({
  masterPage: page,
  server,
  master,
  consoleErrors,
}) => {
  consoleErrors.allow(FAILED_CALL)
  const names = uniqueName('together')
  const first = await addHost(server, { username: `${names}-first` })
  const second = await addHost(server, { username: `${names}-second` })
  const year = Number(first.subscription_end_date?.slice(0, 4))

  await page.goto(`${server.master_url}/master/hosts?q=${names}-`)
  await page.getByRole('checkbox', { name: `Select ${first.username}` }).check()
  await page.getByRole('checkbox', { name: `Select ${second.username}` }).check()
  await expect(page.getByText('2 selected')).toBeVisible()
  await page.getByRole('button', { name: 'Extend subscriptions' }).click()
  const dialog = page.getByRole('dialog', { name: 'Extend 2 subscriptions' })
  await dialog.getByText('12 months', { exact: true }).click()
  await expect(dialog.getByRole('row', { name: first.username })).toContainText(`${year + 1}`)

  const path = `/admin/hosts/${second.id}/extend-subscription`
  await http(server, 'POST', path, { token: master.token, body: { additional_months: 1 } })
  await dialog.getByRole('button', { name: 'Extend 2' }).click()
  await expect(dialog.getByText('1 of 2 extended by 12 months')).toBeVisible()
  await expect(
    dialog.getByText(`${second.username}: Someone else has changed this subscription in the meantime`),
  ).toBeVisible()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await expect(dialog).toHaveCount(0)
  const extended = await hostNamed(server, first.username)
  expect(extended.subscription_end_date).toMatch(`${year + 1}-`)
})
