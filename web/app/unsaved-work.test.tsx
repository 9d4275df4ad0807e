import { fireEvent, screen, waitFor } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { describe, expect, test } from 'vitest'
import { buildHost, buildMaster, buildRoomUser, call } from '../../test/factories/accounts.ts'
import { expectToast, fill, inDialog, openPage, press } from '../../test/pages/page.tsx'
import { setup } from '../../test/servers/setup.ts'

const server = await setup()

const QUESTION = 'Discard your changes?'
const question = () => inDialog(QUESTION)
const gone = (name: string) => waitFor(() => expect(screen.queryByRole('dialog', { name })).toBeNull())
const heading = (name: string) => screen.findByRole('heading', { name, level: 1 })
const openPanelPage = async (user: UserEvent, name: string) => user.click(await screen.findByRole('link', { name }))

async function openForm(form: { open: string; title: string }) {
  const host = await buildHost(server)
  const isOfMaster = form.title.includes('Host')
  if (!isOfMaster) await buildRoomUser(server, host, { username: 'amina' })
  const page = isOfMaster
    ? openPage(server, '/master/hosts', { ...(await buildMaster(server)), role: 'master' })
    : openPage(server, '/host/users', { ...host, role: 'host' })
  await press(page.user, form.open.replace('HOST', host.username))
  return { ...page, form: await inDialog(form.title) }
}

describe('unsaved work in', () => {
  const ways: [string, (user: UserEvent) => Promise<void>][] = [
    ['Escape', (user) => user.keyboard('{Escape}')],
    ['Cancel', async (user) => press(user, 'Cancel')],
    ['Back', async () => window.history.back()],
  ]

  test.each([
    { open: 'Add New Host', title: 'Add New Host Account' },
    { open: 'Edit HOST', title: 'Edit Host' },
    { open: 'Add User', title: 'Add User' },
    { open: 'Edit amina', title: 'Edit User' },
  ])('$title is not lost by Escape, Cancel or Back without a question', async ({ open, title }) => {
    const { user, form } = await openForm({ open, title })
    const path = window.location.pathname
    fill(form.getByLabelText(/^Username/), 'half a na')
    for (const [, leave] of ways) {
      await leave(user)
      await press(user, 'Keep editing', await question())
      await gone(QUESTION)
      expect(form.getByLabelText(/^Username/)).toHaveProperty('value', 'half a na')
    }
    await user.keyboard('{Escape}')
    await press(user, 'Discard', await question())
    await gone(title)
    expect(window.location.pathname).toBe(path)
  })

  test.each(ways)('a form that nobody has filled in closes by %s at once', async (_name, leave) => {
    const { user } = await openForm({ open: 'Edit amina', title: 'Edit User' })
    await leave(user)
    await gone('Edit User')
    expect(screen.queryByRole('dialog')).toBeNull()
    await heading('Users Master')
  })

  test('a form is not asked about once it is saved', async () => {
    const { user, form } = await openForm({ open: 'Edit amina', title: 'Edit User' })
    fill(form.getByLabelText(/^Username/), 'amina-2')
    await press(user, 'Save changes', form)
    await expectToast('User updated successfully')
    await gone('Edit User')
    await openPanelPage(user, 'Rooms Master')
    await heading('Rooms Master')
  })

  test('App Info is not lost by leaving the page, the tab or the console without a question', async () => {
    const host = await buildHost(server)
    const { user } = openPage(server, '/host/app-info', { ...host, role: 'host' })
    const closeTab = () => !fireEvent(window, new Event('beforeunload', { cancelable: true }))
    const title = await screen.findByLabelText('User title')
    expect(closeTab()).toBe(false)
    fill(title, 'Singer')
    await waitFor(() => expect(closeTab()).toBe(true))

    for (const leave of [() => openPanelPage(user, 'Rooms Master'), () => press(user, 'Log out')]) {
      await leave()
      await press(user, 'Keep editing', await question())
      await gone(QUESTION)
      await heading('App Info.')
      expect(title).toHaveProperty('value', 'Singer')
    }
    await openPanelPage(user, 'Rooms Master')
    await press(user, 'Discard', await question())
    await heading('Rooms Master')
    expect(closeTab()).toBe(false)
    const { body } = await call(server, 'GET', '/host/app-info', { as: host })
    expect(body.appInfo.user_title).toBeNull()
  })

  test('App Info asks nothing after Save changes, nor on Back to the page before', async () => {
    const { user } = openPage(server, '/host/rooms', { ...(await buildHost(server)), role: 'host' })
    await heading('Rooms Master')
    await openPanelPage(user, 'App Info.')
    fill(await screen.findByLabelText('User title'), 'Singer')
    window.history.back()
    await press(user, 'Keep editing', await question())
    await press(user, 'Save changes')
    await expectToast('App information updated successfully')
    window.history.back()
    await heading('Rooms Master')
  })
})

test('Back closes a question, the search and nothing else', async () => {
  const { form, user } = await openForm({ open: 'Add User', title: 'Add User' })
  fill(form.getByLabelText(/^Username/), 'half a na')
  await user.keyboard('{Escape}')
  await question()
  window.history.back()
  await gone(QUESTION)
  expect(form.getByLabelText(/^Username/)).toHaveProperty('value', 'half a na')
  window.history.back()
  await press(user, 'Discard', await question())
  await gone('Add User')

  await press(user, /^Search/)
  await screen.findByRole('combobox', { name: 'Go to a page or a user' })
  window.history.back()
  await waitFor(() => expect(screen.queryByRole('combobox', { name: 'Go to a page or a user' })).toBeNull())
  await heading('Users Master')
})
