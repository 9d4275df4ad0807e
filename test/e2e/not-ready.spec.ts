import { PlannedCheck } from '../../shared/go-live.ts'
import { expectAccessible, PHONE, setAppearance } from './support/accessibility.ts'
import { addHost, storeSession } from './support/hosts.ts'
import { expect, test } from './support/test.ts'

test('what is in the way of a planned meeting is accessible and fits, with a link as large as a thumb', async ({
  page,
  server,
}) => {
  const host = await addHost(server)
  const check = PlannedCheck.parse({
    ...{ starts_at: '2026-12-01T18:30:00.000Z', ends_at: '2026-12-01T20:00:00.000Z' },
    checked_at: '2026-12-01T18:15:00.000Z',
    problems: [
      {
        ...{ subject: 'room', tone: 'bad', title: 'The room is stopped' },
        advice: 'No phone can sign in. Activate it (A) on Host Master.',
        link: { to: '/host/host-master', label: 'Host Master' },
      },
      {
        ...{ subject: 'zoom', tone: 'bad', title: 'Zoom is not connected' },
        advice: 'Ask your administrator to connect your Zoom account.',
      },
    ],
  })
  await page.route('**/api/host/planned-meetings/check', (route) =>
    route.fulfill({ json: { success: true, data: { check } } }),
  )
  await storeSession(page, server.host_url, host)
  await page.goto(`${server.host_url}/host/rooms`)
  await expect(page.getByText(/^The meeting planned for \d\d:\d\d is not ready$/)).toBeVisible()
  await expect(page.getByText('No meeting is planned.')).toBeVisible()
  await expectAccessible(page, 'a planned meeting that is not ready')
  await setAppearance(page, PHONE)
  const link = page.getByRole('link', { name: 'Open Host Master' })
  await expect.poll(async () => (await link.boundingBox())?.height).toBeGreaterThanOrEqual(40)
})
