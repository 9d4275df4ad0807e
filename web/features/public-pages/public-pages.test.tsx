import { cleanup, screen } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { openPage } from '../../../test/pages/page.tsx'
import { setup } from '../../../test/servers/setup.ts'
import { site } from '../../lib/site.ts'

const server = await setup()
beforeEach(() => {
  site.site = 'public'
})

test('the landing page leads to the source code, and says where it is where there is no address', async () => {
  site.source_url = 'https://code.example/parley'
  openPage(server, '/')
  const link = await screen.findByRole('link', { name: 'https://code.example/parley' })
  expect(link.getAttribute('href')).toBe('https://code.example/parley')
  expect(document.body.textContent).not.toContain('The operator of this site has its source code')
})

test('the landing page of an operator without an address says whom to ask for the source code', async () => {
  openPage(server, '/')
  await screen.findByText(/The operator of this site has its source code and can give you a copy/)
})

test('the landing page says what has not been tried with Zoom, and whom Parley does not reach', async () => {
  openPage(server, '/')
  await screen.findByText(/Joining a real Zoom meeting from real phones: so far the phone app has joined the stand-in/)
  screen.getByText(/Users who join with Zoom's own app are neither seen nor muted by Parley/)
})

test('the support page names a telephone only where the operator has given one', async () => {
  openPage(server, '/support')
  await screen.findByText(/Business hours/)
  expect(document.querySelector('a[href^="tel:"]')).toBeNull()
})

test('the privacy policy states for how long the operator keeps data', async () => {
  const before = site.kept_days
  const timeOf = async (what: string) =>
    (await screen.findByRole('cell', { name: new RegExp(`^${what}`) })).nextElementSibling?.textContent
  openPage(server, '/policy')
  expect(await timeOf('Attendance')).toBe('396 days')
  expect(await timeOf('Copies of recordings')).toBe('until they are deleted')
  cleanup()
  site.kept_days = { audit: 90, attendance: 1, recordings: 30 }
  openPage(server, '/policy')
  expect(await timeOf('Attendance')).toBe('1 day')
  expect(await timeOf('The record of who did what')).toMatch(/^90 days/)
  expect(await timeOf('Copies of recordings')).toBe('30 days after the meeting')
  site.kept_days = before
})
