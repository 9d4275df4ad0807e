import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { buildHost, buildMaster, call } from '../../../test/factories/accounts.ts'
import { inDialog, openPage, press } from '../../../test/pages/page.tsx'
import { setup } from '../../../test/servers/setup.ts'

const server = await setup()
const TITLE = 'Set up Parley'

test('a new master has three steps, until a first host is connected to Zoom', async () => {
  const master = await buildMaster(server)
  const open = () => openPage(server, '/master/hosts', { ...master, role: 'master' })
  const steps = async () => {
    const list = within(await screen.findByRole('region', { name: TITLE })).getAllByRole('listitem')
    return list.map((item) => [item.dataset.state, within(item).queryByRole('button')?.textContent])
  }
  const first = open()
  expect(await steps()).toEqual([
    ['done', undefined],
    ['next', 'Add a host'],
    ['later', undefined],
  ])
  await press(first.user, 'Add a host')
  await inDialog('Add New Host Account')
  await press(first.user, 'Cancel')
  await press(first.user, 'Add the first host') // the button of the empty list
  await inDialog('Add New Host Account')
  cleanup()

  const { id, username } = await buildHost(server)
  const { user, change } = open()
  expect(await steps()).toEqual([
    ['done', undefined],
    ['done', undefined],
    ['next', 'Connect Zoom'],
  ])
  await press(user, 'Connect Zoom')
  await inDialog('Edit Host')
  const host = (await call(server, 'GET', `/admin/hosts/${id}`, { as: master })).body.data
  change(/^\/admin\/hosts$/, { hosts: [{ ...host, zoom_status: 'connected', zoom_connected: true }] })
  fireEvent.focus(window)
  await waitFor(() => expect(screen.queryByRole('region', { name: TITLE })).toBeNull())
  await inDialog('Edit Host')
  cleanup()

  open()
  await screen.findByRole('row', { name: new RegExp(username) })
  expect(screen.queryByRole('region', { name: TITLE })).toBeNull()
})
