import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { buildRoomUser, call } from '../../../../test/factories/accounts.ts'
import { addGroup } from '../../../../test/factories/groups.ts'
import { expectToast, inDialog, press } from '../../../../test/pages/page.tsx'
import { expectNoDialog, host, openUsers, row, server, setupUsers } from '../../../../test/pages/users-page.ts'

await setupUsers()

const stored = async () => (await call(server, 'GET', '/host/users', { as: host })).body.data
const groupsOf = async (name: string) => {
  const { users, groups } = await stored()
  const { group_ids } = users.find(({ username }: { username: string }) => username === name)
  return groups.flatMap(({ id, name }: { id: string; name: string }) => (group_ids.includes(id) ? [name] : []))
}
describe('groups', () => {
  test('are made, renamed and deleted in a dialog, which keeps what another console changed', async () => {
    await buildRoomUser(server, host, { username: 'amina' })
    const { user } = openUsers()
    await press(user, 'Groups')
    const dialog = await inDialog('Groups')
    await press(user, 'Add group', dialog)
    await dialog.findByText('Name is required')
    await user.type(dialog.getByLabelText('Name'), 'Altos')
    await press(user, 'Add group', dialog)
    await expectToast('Group created')
    await dialog.findByText('Altos')
    await press(user, 'New group', dialog)
    await user.type(dialog.getByLabelText('Name'), 'ALTOS')
    await press(user, 'Add group', dialog)
    await dialog.findByText('There is already a group with this name')
    await press(user, 'Cancel', dialog)

    await press(user, 'Edit Altos', dialog)
    const [{ id }] = (await stored()).groups
    await call(server, 'PUT', `/host/groups/${id}`, { as: host, body: { name: 'Low altos', colour: 'red' } })
    await user.type(dialog.getByLabelText('Name'), ' I')
    await press(user, 'Save group', dialog)
    await dialog.findByText('Someone else has changed this group in the meantime. Nothing was saved.')
    await press(user, 'Cancel', dialog)
    await press(user, 'Edit Low altos', dialog)
    await user.type(dialog.getByLabelText('Name'), ' I')
    await press(user, 'Save group', dialog)
    await expectToast('Group saved')
    await press(user, 'Delete Low altos I', dialog)
    await press(user, 'Delete group', await inDialog('Delete the group “Low altos I”?'))
    await expectToast('Group deleted')
    expect((await stored()).groups).toEqual([])
  })

  test('are chosen for a user, shown in the row, and filter the list', async () => {
    await addGroup(server, host, { name: 'Altos' })
    await addGroup(server, host, { name: 'Readers' })
    for (const username of ['amina', 'bela']) await buildRoomUser(server, host, { username })
    const { user } = openUsers()
    await press(user, 'Edit amina')
    const form = await inDialog('Edit User')
    await user.click(form.getByRole('checkbox', { name: 'Readers' }))
    await press(user, 'Save changes', form)
    await expectToast('User updated successfully')
    await expectNoDialog()
    expect(await groupsOf('amina')).toEqual(['Readers'])
    const amina = await row('amina')
    await waitFor(() => amina.getAllByRole('list', { name: 'Groups' }))
    await user.click(screen.getByRole('combobox', { name: 'Group' }))
    await user.click(await screen.findByRole('option', { name: 'Readers (1)' }))
    await screen.findByText(/in the group “Readers”/)
    expect(screen.queryByText('bela')).toBeNull()
    await press(user, 'Clear filters')
    await row('bela')
  })

  test('take several users in and out, and say of whom nothing changes', async () => {
    const { id } = await addGroup(server, host, { name: 'Altos' })
    const amina = await buildRoomUser(server, host, { username: 'amina', group_ids: [id] })
    await buildRoomUser(server, host, { username: 'bela' })
    const { user } = openUsers()
    for (const name of ['amina', 'bela']) {
      const [box] = (await row(name)).getAllByRole('checkbox')
      if (box) await user.click(box)
    }
    const bar = within(screen.getByRole('region', { name: 'Bulk actions' }))
    await press(user, 'Groups', bar)
    const dialog = await inDialog('Groups of 2 users')
    await dialog.findByText('This changes 1 user of 2.')
    await press(user, 'Add', dialog)
    await expectToast('1 user added to “Altos”')
    expect([await groupsOf('amina'), await groupsOf('bela')]).toEqual([['Altos'], ['Altos']])
    await press(user, 'Groups', bar)
    const again = await inDialog('Groups of 2 users')
    await again.findByText('All of them are in it already.')
    await user.click(again.getByRole('radio', { name: 'Take out of' }))
    await call(server, 'POST', `/host/users/${amina.id}/delete`, { as: host })
    await press(user, 'Take out', again)
    await expectToast('1 user taken out of “Altos”, 1 failed: User not found')
    expect(await groupsOf('bela')).toEqual([])
    await press(user, 'Groups', bar)
    const last = await inDialog('Groups of 1 user')
    await user.click(last.getByRole('radio', { name: 'Take out of' }))
    await last.findByText('None of them is in it.')
  })

  test('in a form that opened before a group was deleted are saved without it', async () => {
    const { id } = await addGroup(server, host, { name: 'Altos' })
    await addGroup(server, host, { name: 'Readers' })
    const { user } = openUsers()
    await screen.findByText('No users found')
    await press(user, 'Add User')
    const form = await inDialog('Add User')
    await user.type(form.getByLabelText(/Username/), 'amina')
    await user.type(form.getByLabelText(/^Password/), 'evening-7')
    for (const name of ['Altos', 'Readers']) await user.click(form.getByRole('checkbox', { name }))
    await call(server, 'DELETE', `/host/groups/${id}`, { as: host })
    await waitFor(() => expect(form.queryByRole('checkbox', { name: 'Altos' })).toBeNull())
    await press(user, 'Add User', form)
    await expectToast('User created successfully')
    expect(await groupsOf('amina')).toEqual(['Readers'])
  })
})
