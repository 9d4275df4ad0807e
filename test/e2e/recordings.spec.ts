import { FAILED_CALL } from './support/console-errors.ts'
import { keepSession } from './support/hosts.ts'
import { realAnswer } from './support/real-answer.ts'
import { refuseCalls } from './support/refuse-calls.ts'
import { expect, test } from './support/test.ts'
import { expectToast } from './support/toasts.ts'
import { addRecordings, addZoomHost } from './support/zoom-host.ts'

/** Two recordings of last month, and one of the month before. */
function threeStarts() {
  const dayOf = (monthsAgo: number, day: number) => {
    const now = new Date()
    return new Date(now.getFullYear(), now.getMonth() - monthsAgo, day, 12)
  }
  return [dayOf(1, 10), dayOf(1, 11), dayOf(2, 10)]
}

test.beforeEach(async ({ page, server }) => {
  const host = await addZoomHost(server)
  await addRecordings(server, host, threeStarts())
  await keepSession(page, server.host_url, host)
  await page.goto(`${server.host_url}/host/recordings`)
  await expect(page.getByText('3 recordings')).toBeVisible()
})

test('the list can be filtered by month, and shows the storage used', async ({ page }) => {
  await expect(page.getByText(/^[\d.]+ of \d+ GB of storage used$/)).toBeVisible()
  const month = page.getByLabel('Month')
  await expect(month.locator('option')).toHaveText(['All months (3)', /\d{4} \(2\)$/, /\d{4} \(1\)$/])
  const rows = page.getByRole('table', { name: 'Recordings' }).getByRole('row')
  await month.selectOption({ index: 1 })
  await expect(page.getByText('2 recordings', { exact: true })).toBeVisible()
  await expect(rows).toHaveCount(3) // with the header
  await month.selectOption({ index: 2 })
  await expect(page.getByText('1 recording', { exact: true })).toBeVisible()
  await expect(rows).toHaveCount(2)
})

test('a recording is deleted after a confirmation, and Undo restores it', async ({ page, consoleErrors }) => {
  consoleErrors.allow(FAILED_CALL)
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const deleteFirst = page.getByRole('button', { name: /^Delete .*m4a$/ }).first()
  const dialog = page.getByRole('dialog')

  await deleteFirst.click()
  await expect(dialog.getByText(/trash at Zoom, where/)).toBeVisible()
  await button('Cancel').click()
  await expect(dialog).toHaveCount(0)

  await refuseCalls(page, 'DELETE', '**/recordings/meetings/*/recordings', {
    times: 1,
    status: 502,
    message: 'Zoom is busy',
  })
  await deleteFirst.click()
  await button('Delete recording').click()
  await expectToast(page, 'Failed to delete recording: Zoom is busy')
  await expect(dialog).toHaveCount(0)

  await deleteFirst.click()
  await button('Delete recording').click()
  await expectToast(page, 'Moved to Trash')
  await expect(page.getByText('2 recordings', { exact: true })).toBeVisible()
  await button('Undo').click()
  await expectToast(page, 'Taken out of the trash: 1 recording')
  await expect(page.getByText('3 recordings', { exact: true })).toBeVisible()
})

test('several recordings are deleted at once, with a report of what Zoom refused', async ({ page, consoleErrors }) => {
  consoleErrors.allow(FAILED_CALL)
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  await page.getByLabel('Select all recordings').check()
  await expect(page.getByText('3 recordings, 3 selected')).toBeVisible()
  await refuseCalls(page, 'DELETE', '**/recordings/meetings/*/recordings', { times: 1, status: 502 })
  await button('Delete selected').click()
  await button('Delete').click()
  await expectToast(page, 'Moved to Trash 2 recording(s), 1 failed')
  await expect(page.getByText('1 recording, 1 selected')).toBeVisible()
  await button('Undo').click()
  await expectToast(page, 'Taken out of the trash: 2 recordings')
  await expect(page.getByText(/^3 recordings/)).toBeVisible()
})

test('marks a list that is stale, truncated, without files or empty', async ({ page }) => {
  let change: (data: Record<string, unknown>) => object = () => ({})
  await page.route('**/api/recordings?*', async (route) => {
    const real = await realAnswer(route)
    const { data } = await real.json()
    await route.fulfill({ response: real, json: { success: true, data: { ...data, ...change(data) } } })
  })
  const refresh = page.getByRole('button', { name: 'Refresh', exact: true })

  change = () => ({ stale: true })
  await refresh.click()
  await expect(
    page.getByText('Zoom does not answer at the moment. This is the list as Parley knew it last.'),
  ).toBeVisible()

  change = () => ({
    archive: { is_full: true, waiting: 1, used_gb: 25, limit_gb: 25, message: 'The storage is full.' },
  })
  await refresh.click()
  await expect(page.getByText('The storage is full.')).toBeVisible()

  change = ({ recordings }) => ({
    recordings: JSON.parse(JSON.stringify(recordings), (key, value) =>
      /^(play|download)_url$/.test(key) ? null : value,
    ),
  })
  await refresh.click()
  await expect(page.getByText('The storage is full.')).toHaveCount(0)
  await page
    .getByRole('button', { name: /^Play / })
    .first()
    .click()
  await expectToast(page, 'No playable file available')
  await page
    .getByRole('button', { name: /^Download / })
    .first()
    .click()
  await expectToast(page, 'No downloadable file available')

  change = () => ({ recordings: [] })
  await refresh.click()
  await expect(page.getByText('No recordings found for your room.')).toBeVisible()
})

test('shows a failure to load, and can be retried', async ({ page, consoleErrors }) => {
  consoleErrors.allow(FAILED_CALL)
  const refusal = await refuseCalls(page, 'GET', '**/api/recordings?*')
  await page.getByRole('button', { name: 'Refresh', exact: true }).click()
  await expectToast(page, 'Failed to refresh data')
  await page.reload()
  await expect(page.getByText('Failed to load recordings')).toBeVisible()
  refusal.stop()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('3 recordings')).toBeVisible()
})
