import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { buildHost, call } from '../../../test/factories/accounts.ts'
import { expectToast, openPage, press } from '../../../test/pages/page.tsx'
import { setup } from '../../../test/servers/setup.ts'

const server = await setup()

const statusOf = async (url: string) => (await call(server, 'GET', new URL(url).pathname.replace('/api', ''))).status

test('a calendar link is made, copied, replaced and removed', async () => {
  const host = await buildHost(server)
  const { user, refuse } = openPage(server, '/host/rooms', { ...host, role: 'host' })
  await screen.findByRole('region', { name: 'Planned meetings' })
  await press(user, 'Calendar link')
  const dialog = within(await screen.findByRole('dialog', { name: 'Calendar link' }))
  expect(dialog.getByRole('button', { name: 'Remove link' })).toHaveProperty('ariaDisabled', 'true')

  refuse('POST', /calendar-link/, { times: 1, status: 429, message: 'Too many links were made.' })
  await press(user, 'Make link')
  await dialog.findByText('Too many links were made.')
  await press(user, 'Make link')
  const { value: firstUrl } = await dialog.findByLabelText<HTMLInputElement>('Link')
  await press(user, 'Copy link')
  await expectToast('Link copied')
  expect(await navigator.clipboard.readText()).toBe(firstUrl)
  expect(await statusOf(firstUrl)).toBe(200)

  await press(user, 'Close')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await press(user, 'Calendar link')
  await screen.findByText(/^A link works that was made on .* It cannot be shown again/)
  expect(screen.queryByLabelText('Link')).toBeNull()
  await press(user, 'Make a new link')
  const { value: secondUrl } = await screen.findByLabelText<HTMLInputElement>('Link')
  expect([await statusOf(firstUrl), await statusOf(secondUrl)]).toEqual([404, 200])

  await press(user, 'Remove link')
  await press(user, 'Remove')
  await expectToast('Calendar link removed')
  await screen.findByRole('button', { name: 'Make link' })
  expect(screen.queryByLabelText('Link')).toBeNull()
  expect(await statusOf(secondUrl)).toBe(404)
})
