import type { Page } from '@playwright/test'
import { datesOf, extend } from '../../shared/subscription-dates.ts'
import { http, signInMaster } from '../server-process.ts'
import { FAILED_CALL } from './support/console-errors.ts'
import { cutOffOnce } from './support/cut-off.ts'
import { actOnHost } from './support/host-list.ts'
import { addHost, hostNamed, signInHost } from './support/hosts.ts'
import { expectShownBriefly } from './support/shown-briefly.ts'
import { expect, test } from './support/test.ts'

const formOf = (page: Page) => page.getByRole('dialog', { name: 'Edit Host' })

test('a host is edited, with each fault under its field', async ({ masterPage: page, server, host, consoleErrors }) => {
  consoleErrors.allow(FAILED_CALL)
  const other = await addHost(server)
  await page.clock.install()
  await actOnHost(page, server, host, 'Edit')
  const form = formOf(page)
  const username = form.getByLabel('Username')
  const email = form.getByLabel(/^Email/)
  const storage = form.getByLabel('Storage limit')
  const password = form.getByLabel(/^New Password/)
  const save = form.getByRole('button', { name: 'Save changes' })

  await username.fill('')
  await email.fill('nonsense')
  await storage.fill('101')
  await password.fill('short')
  await save.click()
  await expect(username).toHaveAccessibleDescription('Username is required')
  await expect(email).toHaveAccessibleDescription('Invalid email address')
  await expect(storage).toHaveAccessibleDescription(/Storage limit must be between 1 and 100 GB/)
  await expect(password).toHaveAccessibleDescription(/Password must be at least 6 characters/)

  await username.fill('asha\u2060')
  await email.fill(other.email)
  await storage.fill('20')
  await save.click()
  await expect(username).toHaveAccessibleDescription(/cannot be seen \(word joiner, U\+2060\)/)
  await username.fill('a-new-name')
  await password.fill('A-New-Name')
  await save.click()
  await expect(password).toHaveAccessibleDescription(/The password must not be the username/)

  await username.fill(other.username.toUpperCase())
  await password.fill('')
  await save.click()
  await expect(username).toHaveAccessibleDescription('This username is already taken')
  await expect(form.getByText('Failed to update host')).toHaveCount(0)

  await username.fill(host.username)
  await email.fill(`new-${host.email}`)
  await cutOffOnce(page, '/admin/hosts/*')
  await save.click()
  await expect(form.getByText('Failed to update host')).toBeVisible()
  await expectShownBriefly(page, form.getByText('Host updated successfully'), () => save.click())
  await expect(form).toHaveCount(0) // by itself, as only after success
  expect(await hostNamed(server, host.username)).toMatchObject({ storage_limit_gb: 20, email: `new-${host.email}` })
  await signInHost(server, host) // a blank password has kept the old one
})

test('the subscription is edited as the preview says', async ({ masterPage: page, server, host, master }) => {
  await actOnHost(page, server, host, 'Edit')
  const form = formOf(page)
  const action = form.getByLabel('Action')
  const duration = form.getByLabel('Duration')
  const day = form.getByLabel('End date')
  const save = form.getByRole('button', { name: 'Save changes' })

  await expect(duration).toBeDisabled()
  await expect(day).toBeDisabled()
  await action.selectOption('cancel')
  await expect(form.getByText(/After saving: Cancelled since/)).toBeVisible()
  await expect(duration).toBeDisabled()
  await expect(day).toBeDisabled()
  await action.selectOption('reduce')
  await duration.selectOption('12')
  await expect(form.getByText(/After saving: Expired since/)).toBeVisible()
  await expect(day).toBeDisabled()
  await action.selectOption('set_date')
  await expect(duration).toBeDisabled()
  await expect(day).toHaveAttribute('min', /^20\d\d-\d\d-\d\d$/)
  await day.fill('2020-01-01')
  await save.click()
  await expect(form.getByText('The end date must be today or later')).toBeVisible()
  await day.fill('2031-05-09')
  await expect(form.getByText('After saving: Active until 9 May 2031')).toBeVisible()

  await action.selectOption('extend')
  await duration.selectOption('6')
  const end = extend(datesOf(host), 6, new Date()).subscription_end_date
  const shownEnd = end?.toLocaleDateString('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })
  await expect(form.getByText(`After saving: Active until ${shownEnd}`)).toBeVisible()
  await save.click()
  await expect(form).toHaveCount(0)
  expect(await hostNamed(server, host.username)).toMatchObject({
    subscription_type: 6,
    subscription_end_date: end?.toISOString(),
  })
  const path = `/admin/hosts/${host.id}/subscription-history`
  const { body } = await http(server, 'GET', path, { token: master.token })
  expect(body.data.history[0]).toMatchObject({ action: 'extended', months: 6 })
})

test('the second of two masters who edit one host sees a conflict, and can then save without losing anything', async ({
  masterPage: page,
  server,
  host,
  consoleErrors,
}) => {
  consoleErrors.allow(FAILED_CALL)
  await actOnHost(page, server, host, 'Edit')
  const form = formOf(page)
  const save = form.getByRole('button', { name: 'Save changes' })
  const room = form.getByLabel('Room name')
  await room.fill('My room')
  const body = { mobile: '+49 30 1', storage_limit_gb: 44 }
  await http(server, 'PUT', `/admin/hosts/${host.id}`, { token: await signInMaster(server), body })

  await save.click()
  await expect(form.getByText('Someone else has changed this host in the meantime. Nothing was saved.')).toBeVisible()
  await expect(form.getByText('It is now: Mobile: +49 30 1; Storage limit: 44.')).toBeVisible()
  await expect(form.getByLabel('Mobile')).toHaveValue('+49 30 1')
  await expect(room).toHaveValue('My room')
  expect(await hostNamed(server, host.username)).toMatchObject({ room_name: host.room_name })

  await save.click()
  await expect(form).toHaveCount(0)
  expect(await hostNamed(server, host.username)).toMatchObject({ ...body, room_name: 'My room' })
})
