import { SharedReport } from '../../shared/report-links.ts'
import { expectAccessible } from './support/accessibility.ts'
import { expect, test } from './support/test.ts'

const username = 'amina'
const REPORT = SharedReport.parse({
  ...{ room_name: 'Morning room', expires_at: '2026-11-27T14:00:00.000Z' },
  meeting: {
    ...{ started_at: '2026-11-20T12:00:00.000Z', ended_at: '2026-11-20T13:00:00.000Z', users: 1, peak: 1 },
    ...{ spoke_seconds: 95, recordings: 1, note: 'Read chapter two.' },
  },
  users: [
    {
      ...{ username, first_joined: '2026-11-20T12:10:00.000Z', last_left: '2026-11-20T12:40:00.000Z' },
      ...{ total_seconds: 1800, late_seconds: 600, early_seconds: 1200 },
    },
  ],
  absent: [{ username: 'bela' }],
  speakers: [{ username, spoke_seconds: 95 }],
  hands: [{ username, raised_at: '2026-11-20T12:31:00.000Z', waited_seconds: 540 }],
})

test('a report that is shared by link is accessible and fits', async ({ page, server }) => {
  await page.route('**/api/shared-report', (route) => route.fulfill({ json: { success: true, data: REPORT } }))
  await page.goto(`${server.public_url}/report#token`)
  await expect(page.getByRole('heading', { level: 1, name: /^Meeting of / })).toBeVisible()
  await expect(page.getByText(/^Times in .+ This link ends /)).toBeVisible()
  await expectAccessible(page, 'a shared report')
})
