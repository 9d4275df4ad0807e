import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { buildMaster, call } from '../../../test/factories/accounts.ts'
import { expectToast, openPage, press } from '../../../test/pages/page.tsx'
import { setup } from '../../../test/servers/setup.ts'

const server = await setup()

test('masters invite, cancel and remove one another', async () => {
  const you = await buildMaster(server)
  const other = await buildMaster(server)
  const { user } = openPage(server, '/master/masters', { ...you, role: 'master' })
  await screen.findByText(other.email)
  await user.type(screen.getByLabelText(/^Email/), 'ana@parley.example')
  await press(user, 'Invite master')
  const link = await screen.findByLabelText('Invitation link for ana@parley.example')
  const token = link.getAttribute('value')?.split('/link#')[1]
  expect((await call(server, 'POST', '/auth/links/look', { body: { token } })).body.data).toMatchObject({
    purpose: 'master_invite',
    account: 'ana@parley.example',
  })
  screen.getByRole('button', { name: 'Copy link' })
  await press(user, 'Cancel invitation')
  await expectToast('Invitation cancelled')
  await press(user, `Remove ${other.email}`)
  await press(user, 'Remove', within(await screen.findByRole('dialog')))
  await expectToast(`${other.email} removed`)
  await waitFor(() => expect(screen.queryByRole('button', { name: `Remove ${other.email}` })).toBeNull())
})
