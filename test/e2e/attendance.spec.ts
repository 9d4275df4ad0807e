import { http } from '../server-process.ts'
import { FAILED_CALL } from './support/console-errors.ts'
import { downloadCsv } from './support/downloads.ts'
import { refuseCalls } from './support/refuse-calls.ts'
import { expect, test } from './support/test.ts'
import { expectToast } from './support/toasts.ts'

test('Attendance shows who came, who did not and each visit, for the selected days', async ({
  hostPage: page,
  host,
  server,
  addPeople,
  openPhone,
}) => {
  const people = await addPeople(['amina', 'bela', 'chika'], (_, index) => ({ reference: `=ref ${index}` }))
  for (const person of people.slice(0, 2)) {
    const phone = await openPhone(person)
    if (person.username === 'bela') await phone.logout()
  }
  const attended = async () => (await http(server, 'GET', '/host/attendance', host)).body.data.attendance
  await expect.poll(attended).toMatchObject([{ last_left: null }, { last_left: expect.any(String) }])
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const downloadButton = button('Download CSV')
  const row = (name: string) => page.getByRole('row', { name })

  await page.goto(`${server.host_url}/host/dashboard`)
  await page.getByRole('link', { name: 'See who attended' }).click()
  await expect(button('Today')).toHaveAttribute('aria-pressed', 'true')
  await button('Last 7 days').click() // the day may end while this runs
  await expect(button('Last 7 days')).toHaveAttribute('aria-pressed', 'true')
  await expect(button('Came 2')).toBeVisible()
  await expect(row('amina')).toContainText('Still here')
  await expect(row('bela')).not.toContainText('Still here')
  const users = await downloadCsv(page, () => downloadButton.click())
  expect(users.name).toMatch(/^attendance-.*\.csv$/)
  expect(users.lines.map((line) => line.split(',').slice(0, 3).join())).toEqual([
    'user_id,username,reference',
    "U000001,amina,'=ref 0",
    "U000002,bela,'=ref 1",
    "U000003,chika,'=ref 2",
  ])

  await button('Did not come 1').click()
  await expect(row('chika')).toBeVisible()
  await button('Visits 2').click()
  await expect(page.getByRole('table', { name: 'Visits' }).getByRole('row', { name: 'bela' })).toBeVisible()
  const visits = await downloadCsv(page, () => downloadButton.click())
  expect(visits.name).toMatch(/^stays-.*\.csv$/)
  await page.getByLabel('Filter attendance').fill('unknown')
  await expect(page.getByText('No one here matches “unknown”.')).toBeVisible()
  await page.getByLabel('Filter attendance').fill('')

  await page.getByLabel('First day').fill('2999-01-01')
  await expect(page.getByRole('alert').filter({ hasText: 'The last day must not be before the first' })).toBeVisible()
  await expect(downloadButton).toBeDisabled()
  await page.getByLabel('First day').fill('2020-01-01')
  await page.getByLabel('Last day').fill('2020-01-02')
  await expect(page.getByText('No one came on these days')).toBeVisible()
})

test('Attendance shows a failure to load, and can be retried', async ({ hostPage: page, server, consoleErrors }) => {
  consoleErrors.allow(FAILED_CALL)
  const refusal = await refuseCalls(page, 'GET', '**/api/host/attendance?*')
  await page.goto(`${server.host_url}/host/attendance`)
  await expect(page.getByText('Failed to load attendance')).toBeVisible()
  refusal.stop()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('button', { name: 'Came 0' })).toBeVisible()
  await refuseCalls(page, 'GET', '**/api/host/attendance?*format=csv*')
  await page.getByRole('button', { name: 'Download CSV' }).click()
  await expectToast(page, 'The file could not be fetched. Please try again.')
})
