import { screen, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { describe, expect, test, vi } from 'vitest'
import { call, PASSWORD, readAudit } from '../../../../test/factories/accounts.ts'
import { expectToast, inDialog, press } from '../../../../test/pages/page.tsx'
import {
  addUsers,
  expectNoDialog,
  host,
  openUsers,
  row,
  server,
  setupUsers,
} from '../../../../test/pages/users-page.ts'

await setupUsers()

describe('sign-in cards', () => {
  const select = async (user: UserEvent, ...names: string[]) => {
    for (const name of names) {
      const [box] = (await row(name)).getAllByRole('checkbox')
      if (box) await user.click(box)
    }
  }

  test('show the selected users what to sign in with, to print or copy, and keep nothing of it', async () => {
    const [amina] = await addUsers('amina', 'bela', 'chika')
    await call(server, 'PUT', '/host/app-info', { as: host, body: { user_title: 'Evening circle' } })
    const { user, refuse, calls } = openUsers()
    await press(user, 'Actions')
    await user.click(await screen.findByRole('menuitem', { name: 'Sign-in cards' }))
    await expectToast('Please select users first')

    await select(user, 'amina', 'bela')
    refuse('POST', /\/bulk\/credentials$/, { times: 1, status: 429, message: 'Too many passwords were shown.' })
    await press(user, 'Sign-in cards')
    const dialog = await inDialog('Sign-in cards for 2 users')
    await dialog.findByText('Too many passwords were shown.')
    await press(user, 'Try again', dialog)
    const cards = within(await dialog.findByRole('list', { name: 'Sign-in cards' }))
    expect(cards.getAllByRole('heading', { name: 'Evening circle' })).toHaveLength(2)
    expect(cards.getAllByRole('img', { name: 'QR code of the sign-in page' })).toHaveLength(2)
    const [card] = cards.getAllByRole('listitem').filter((item) => item.textContent.includes('amina'))
    expect(card?.textContent).toContain(`Host ID${host.user_id}Usernameamina`)
    expect(card?.textContent).toContain(`Password${PASSWORD}`)
    expect(card?.textContent).toContain(
      `open this address in its browser: http://phone.localhost:3000/?host=${host.user_id}`,
    )

    await press(user, 'Copy all', dialog)
    await expectToast('Credentials copied to clipboard')
    const copied = await navigator.clipboard.readText()
    expect(copied.match(/How to sign in to “Evening circle”/g)).toHaveLength(2)
    const print = vi.spyOn(window, 'print').mockReturnValue()
    await press(user, 'Print', dialog)
    expect(print).toHaveBeenCalledOnce()
    await press(user, 'Close', dialog)
    await expectNoDialog()
    expect(document.body.textContent).not.toContain(PASSWORD)
    expect(calls.filter((made) => made === 'POST /host/users/bulk/credentials')).toHaveLength(2)
    const { entries } = await readAudit(
      server,
      host,
      `user=${amina?.id}&action=user_credentials_revealed`,
      '/host/audit',
    )
    expect(entries).toHaveLength(1)
  })

  test('leave out who was deleted since, and say so', async () => {
    const [, bela] = await addUsers('amina', 'bela')
    const { user, before } = openUsers()
    await select(user, 'amina', 'bela')
    before('POST', /\/bulk\/credentials$/, () => call(server, 'POST', `/host/users/${bela?.id}/delete`, { as: host }))
    await press(user, 'Sign-in cards')
    const dialog = await inDialog('Sign-in cards for 2 users')
    await dialog.findByText('1 of the selected users no longer exists.')
    expect(within(dialog.getByRole('list', { name: 'Sign-in cards' })).getAllByRole('heading')).toHaveLength(1)
  })
})
