import { onlineManager } from '@tanstack/react-query'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { buildPhone, call } from '../../../test/factories/accounts.ts'
import { expectToast, inDialog, press } from '../../../test/pages/page.tsx'
import {
  addUsers,
  button,
  expectNoDialog,
  host,
  openUsers,
  row,
  server,
  setupUsers,
  status,
} from '../../../test/pages/users-page.ts'

await setupUsers()

describe('a row', () => {
  test('is edited, and a failed edit is not sent later', async () => {
    await addUsers('amina')
    const { user, refuse, calls } = openUsers()
    await press(user, 'Edit amina')
    const form = await inDialog('Edit User')
    await user.type(form.getByLabelText(/Reference/), 'Alto')
    onlineManager.setOnline(false)
    refuse('PUT', /^\/host\/users\//, { times: 1, status: 0 })
    await user.click(form.getByRole('button', { name: 'Save changes' }))
    await expectToast(
      'Failed to update user. There is no connection to Parley. It may still happen; this page shows it then.',
    )
    onlineManager.setOnline(true)
    const polls = () => calls.filter((made) => made === 'GET /host/users').length
    const before = polls()
    await waitFor(() => expect(polls()).toBeGreaterThan(before + 1))
    expect((await row('amina')).queryByText('Alto')).toBeNull()
    await user.click(form.getByRole('button', { name: 'Save changes' }))
    await expectToast('User updated successfully')
    await (await row('amina')).findAllByText('Alto')
    expect(calls.filter((made) => made.startsWith('PUT'))).toHaveLength(2)
  })

  test('saves a user once whose first answer was lost, and blames no other console', async () => {
    await addUsers('amina')
    const { user, loseAnswer } = openUsers()
    await press(user, 'Edit amina')
    const form = await inDialog('Edit User')
    await user.type(form.getByLabelText(/Reference/), 'Alto')
    loseAnswer('PUT', /^\/host\/users\//)
    await user.click(form.getByRole('button', { name: 'Save changes' }))
    await expectToast(
      'Failed to update user. There is no connection to Parley. It may still happen; this page shows it then.',
    )
    await user.click(form.getByRole('button', { name: 'Save changes' }))
    await expectToast('User updated successfully')
  })

  test('keeps a name from before the rules for names, unless it is changed', async () => {
    const [amina] = await addUsers('amina')
    const old = { username: 'am\u200dina' }
    await server.deps.db
      .updateTable('room_users')
      .set(old)
      .where('id', '=', amina?.id ?? '')
      .execute()
    const body = { ...old, user_id: amina?.user_id, reference: 'Alto' }
    await call(server, 'PUT', `/host/users/${amina?.id}`, { as: host, body })
    const { user } = openUsers()
    await press(user, `Edit ${old.username}`)
    const form = await inDialog('Edit User')
    await user.type(form.getByLabelText(/Reference/), ' 2')
    await user.type(form.getByLabelText(/Username/), 'x')
    await user.click(form.getByRole('button', { name: 'Save changes' }))
    await form.findByText(/cannot be seen \(zero width joiner, U\+200D\)/)
    await user.type(form.getByLabelText(/Username/), '{Backspace}')
    await user.click(form.getByRole('button', { name: 'Save changes' }))
    await expectToast('User updated successfully')
    await (await row(old.username)).findAllByText('Alto 2')
  })

  test('is not edited over the change of another console, until that was shown', async () => {
    const [amina] = await addUsers('amina')
    const { user } = openUsers()
    await press(user, 'Edit amina')
    const form = await inDialog('Edit User')
    await user.type(form.getByLabelText(/Reference/), 'Alto')
    const others = { username: 'amina', user_id: amina?.user_id, reference: 'Bass' }
    await call(server, 'PUT', `/host/users/${amina?.id}`, { as: host, body: others })
    await user.click(form.getByRole('button', { name: 'Save changes' }))
    await form.findByText('Changed by another console in the meantime')
    await waitFor(() => form.getByText('Bass'))
    await (await row('amina')).findAllByText('Bass')
    await user.click(form.getByRole('button', { name: 'Save changes' }))
    await expectToast('User updated successfully')
    await (await row('amina')).findAllByText('Alto')
  })

  test('offers only the actions that apply', async () => {
    await addUsers('amina')
    const { user, refuse } = openUsers()
    const choose = async (item: string) => {
      await press(user, 'More actions for amina')
      await user.click(await screen.findByRole('menuitem', { name: item }))
    }
    await press(user, 'More actions for amina')
    const items = await screen.findAllByRole('menuitem')
    expect(items.map((item) => item.textContent)).toEqual([
      'Edit',
      'Copy credentials',
      'Invite',
      'Mute',
      'Deactivate',
      'Delete',
    ])

    refuse('POST', /\/deactivate$/, { times: 1 })
    await user.click(screen.getByRole('menuitem', { name: 'Deactivate' }))
    await expectToast('Failed to deactivate user')
    await choose('Deactivate')
    await status('amina', 'S · Stopped')
    await button(/^Inactive\s*1$/)
    await choose('Activate')
    await status('amina', 'Active')
  })

  test('is switched to another phone after a confirmation', async () => {
    const [bela] = await addUsers('bela')
    if (bela) await buildPhone(server, host, bela)
    const { user, refuse } = openUsers()
    const switchPhone = async () => {
      await press(user, 'More actions for bela')
      await user.click(await screen.findByRole('menuitem', { name: 'Switch phone' }))
      await screen.findByText(/A user may sign in from one phone only\./)
      await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Switch phone' }))
    }
    await status('bela', 'Online')
    refuse('POST', /\/switch$/, { times: 1 })
    await switchPhone()
    await expectToast('Failed to clear device binding')
    await expectNoDialog()
    await switchPhone()
    await expectToast('Device binding cleared. User can now login from a new phone.')
    await status('bela', 'C · Changed')
  })
})
