import { screen } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { buildRoomUser } from '../../../test/factories/accounts.ts'
import { expectToast, fill, inDialog, press } from '../../../test/pages/page.tsx'
import { addUsers, expectNoDialog, host, openUsers, row, server, setupUsers } from '../../../test/pages/users-page.ts'

await setupUsers()

describe('Add User', () => {
  test('adds the first user of an empty room, and refuses the same username', async () => {
    const { user, refuse } = openUsers()
    await screen.findByText('No users found')
    await press(user, 'Add User')
    const form = await inDialog('Add User')
    const submit = form.getByRole('button', { name: 'Add User' })
    expect(form.getByLabelText(/User ID/)).toHaveProperty('value', 'U000001')
    await user.click(submit)
    await form.findByText('Username is required')
    await form.findByText('Password is required')

    await user.type(form.getByLabelText(/Username/), 'amina')
    await user.click(form.getByRole('button', { name: 'Generate' }))
    expect(form.getByLabelText(/^Password/)).toHaveProperty('value', expect.stringMatching(/^\w{10}$/))
    refuse('POST', /^\/host\/users$/, { times: 1 })
    await user.click(submit)
    await expectToast('Failed to create user')
    await user.click(submit)
    await expectToast('User created successfully')
    await expectNoDialog()
    await row('amina')

    await press(user, 'Add User')
    const again = await inDialog('Add User')
    await user.type(again.getByLabelText(/Username/), 'AMINA')
    await user.type(again.getByLabelText(/^Password/), 'other-one')
    await user.click(again.getByRole('button', { name: 'Add User' }))
    await again.findByText('This username is already in use')
    await user.click(again.getByRole('button', { name: 'Cancel' }))
    await press(user, 'Discard', await inDialog('Discard your changes?'))
    await expectNoDialog()
  })

  test('adds a user once whose first answer was lost, and says so', async () => {
    const { user, loseAnswer } = openUsers()
    await press(user, 'Add User')
    const form = await inDialog('Add User')
    await user.type(form.getByLabelText(/Username/), 'amina')
    await user.type(form.getByLabelText(/^Password/), 'evening-7')
    loseAnswer('POST', /^\/host\/users$/)
    await press(user, 'Add User', form)
    await expectToast(
      'Failed to create user. There is no connection to Parley. It may still happen; this page shows it then.',
    )
    await press(user, 'Add User', form)
    await expectToast('User created successfully')
    await expectNoDialog()
    await row('amina')
  })

  test('offers another User ID where the offered one was taken meanwhile, and keeps one that was typed', async () => {
    const { user, before } = openUsers()
    await press(user, 'Add User')
    const form = await inDialog('Add User')
    const userId = form.getByLabelText(/User ID/)
    fill(form.getByLabelText(/Username/), 'amina')
    fill(form.getByLabelText(/^Password/), 'evening-7')
    before('POST', /^\/host\/users$/, () => buildRoomUser(server, host, { username: 'bela', user_id: 'U000001' }))
    await press(user, 'Add User', form)
    await expectToast('This User ID is already in use')
    await form.findByText('U000001 has been taken in the meantime. U000002 is free.')
    expect(userId).toHaveProperty('value', 'U000002')
    await expect(form.queryByText('This User ID is already in use')).toBeNull()

    fill(userId, 'U000001')
    await press(user, 'Add User', form)
    await form.findByText('This User ID is already in use')
    expect(userId).toHaveProperty('value', 'U000001')
    fill(userId, 'U000002')
    await press(user, 'Add User', form)
    await expectToast('User created successfully')
    await row('amina')
  })

  test.each([
    { open: 'Add User', title: 'Add User', save: 'Add User' },
    { open: 'Edit amina', title: 'Edit User', save: 'Save changes' },
  ])('and Edit User refuse weak passwords and invisible characters: $title', async ({ open, title, save }) => {
    await addUsers('amina')
    const { user, calls } = openUsers()
    await press(user, open)
    const form = await inDialog(title)
    const username = form.getByLabelText(/Username/)
    const password = form.getByLabelText(/^(New )?Password/)
    await user.clear(username)
    await user.type(username, 'bela\u200b')
    await user.type(password, 'abc')
    await user.click(form.getByRole('button', { name: save }))
    await form.findByText(/cannot be seen \(zero width space, U\+200B\)/)
    await form.findByText(/Password must be at least 4 characters/)
    await user.clear(username)
    await user.type(username, 'bela')
    await user.clear(password)
    await user.type(password, 'Bela')
    await user.click(form.getByRole('button', { name: save }))
    await form.findByText(/The password must not be the username/)
    expect(calls.filter((made) => !made.startsWith('GET'))).toEqual([])
  })
})
