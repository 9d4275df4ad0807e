import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { buildHost } from '../../../test/factories/accounts.ts'
import { openPage } from '../../../test/pages/page.tsx'
import { setup } from '../../../test/servers/setup.ts'

const server = await setup()
const DAY_MS = 24 * 3_600_000

test.each([
  ['active', '2030-02-21T12:00:00Z', /^Active · \d+ days leftuntil 21 Feb 2030$/],
  ['expired', '2025-11-19T12:00:00Z', /^Expired on 19 Nov 2025$/],
  ['cancelled', '2025-11-21T12:00:00Z', /^Cancelled on 21 Nov 2025$/],
  ['cancelled', new Date(Date.now() + DAY_MS).toISOString(), /^Cancelleduntil /],
])('a subscription that is %s, with the end %s, reads as %s', async (status, end, words) => {
  const { change } = openPage(server, '/host/rooms', { ...(await buildHost(server)), role: 'host' })
  change(/^\/host\/subscription$/, {
    subscription_type: 1,
    subscription_status: status,
    subscription_end_date: end,
  })
  const box = await screen.findByRole('region', { name: 'Subscription' })
  expect(box.textContent).toMatch(words)
})
