import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import {
  buildHost,
  buildMaster,
  buildPhone,
  buildRoomUser,
  call,
  type TestHost,
} from '../../../../test/factories/accounts.ts'
import { expectToast, fill, inDialog, openPage, press } from '../../../../test/pages/page.tsx'
import { setup } from '../../../../test/servers/setup.ts'

const server = await setup()
const path = '/host/host-master'
const asMaster = async () => openPage(server, path, { ...(await buildMaster(server)), role: 'master' })
const noDialog = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

/** Signs in the host on its own phone. */
async function signInByPhone(host: TestHost) {
  await call(server, 'PUT', '/host/app-info', { as: host, body: { password: 'phone-password' } })
  const body = { host_id: host.user_id, username: host.user_id, password: 'phone-password' }
  const login = { ...body, device_id: `phone-of-${host.user_id}`, device_model: 'Pixel 8', platform: 'android' }
  expect((await call(server, 'POST', '/mobile/login', { body: login })).status).toBe(200)
}

describe('Host Master for a master', () => {
  test("stops and activates a host's room, and changes its phone", async () => {
    const host = await buildHost(server)
    const { username: name } = host
    await signInByPhone(host)
    await buildHost(server)
    const { user, refuse } = await asMaster()
    fill(await screen.findByRole('searchbox', { name: 'Search hosts' }), name)
    await waitFor(() => expect(screen.getAllByRole('row')).toHaveLength(2)) // including the header
    const act = async (button: string, title: string, answer: string) => {
      await press(user, button)
      await press(user, answer, await inDialog(title))
    }
    const activate = await screen.findByRole('button', { name: `A: Activate the room of ${name}` })
    expect(activate).toHaveProperty('disabled', true)
    refuse('POST', /^\/admin\/hosts\/.*\/profile\//, { times: 1 })
    await act(`S: Stop the room of ${name}`, `Stop the room of ${name}?`, 'Stop room')
    await expectToast('Failed to stop user')
    await act(`S: Stop the room of ${name}`, `Stop the room of ${name}?`, 'Stop room')
    await expectToast(`The room of "${name}" is stopped. Its phones cannot sign in until it is activated.`)
    within(screen.getByRole('row', { name: new RegExp(name) })).getByText('Stopped')
    await press(user, `Actions for ${name}`) // the menu of a card
    expect(screen.getAllByRole('menuitem').map((item) => item.textContent)).toEqual([
      'View',
      'S · Stop room',
      'A · Activate room',
      'C · Change phone',
    ])
    await user.click(screen.getByRole('menuitem', { name: 'A · Activate room' }))
    await expectToast(`The room of "${name}" is active`)
    await act(`C: Change the phone of ${name}`, `Change the phone of ${name}?`, 'Change phone')
    await expectToast(`The room of "${name}" can be entered by its host from a new phone`)
    const change = await screen.findByRole('button', { name: `C: Change the phone of ${name}` })
    await waitFor(() => expect(change.getAttribute('aria-disabled')).toBe('true'))
    await user.click(change)
    expect(screen.queryByRole('dialog')).toBeNull()
    fill(screen.getByRole('searchbox', { name: 'Search hosts' }), 'no such host')
    await screen.findByText('No host data available')
    await press(user, 'Show all hosts')
    await waitFor(() => expect(screen.getAllByRole('row')).toHaveLength(3))
  })

  test('offers to add the first host', async () => {
    const { user } = await asMaster()
    await screen.findByText('No host data available')
    await press(user, 'Add the first host')
    await inDialog('Add New Host Account')
  })

  test('shows a failure to load, and can be retried', async () => {
    await buildHost(server)
    const { user, refuse } = await asMaster()
    const stop = refuse('GET', /^\/admin\/hosts$/)
    await screen.findByText('Failed to load data')
    stop()
    await press(user, 'Try again')
    await screen.findByRole('table', { name: 'All hosts' })
  })
})

describe('Host Master for a host', () => {
  test('shows only its own account, and ignores a result in the address', async () => {
    const host = await buildHost(server)
    const { email } = await buildHost(server)
    openPage(server, `${path}?modal=add-host&oauth_status=success&oauth_result_id=r1&user_email=a@b.co`, {
      ...host,
      role: 'host',
    })
    await screen.findByText(host.email)
    expect(screen.queryByText(email)).toBeNull()
    await waitFor(() => expect(window.location.search).toBe(''))
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  test('stops and activates its room, and changes its phone, after confirmations', async () => {
    const host = await buildHost(server)
    await signInByPhone(host)
    const phone = await buildPhone(server, host, await buildRoomUser(server, host))
    const phoneStatus = async () => (await call(server, 'POST', '/mobile/status', { as: phone })).status
    const { user, refuse } = openPage(server, path, { ...host, role: 'host' })
    const ask = async (button: string, words: string) => {
      await press(user, button)
      await screen.findByText(words)
    }
    const stopping = () =>
      ask(
        'S · Stop room',
        'Every phone in the room is signed out, and none can sign in until you activate the room again.',
      )
    const changing = () =>
      ask('C · Change phone', 'Your present phone is signed out. The next phone that you sign in from becomes yours.')
    await stopping()
    await press(user, 'Cancel')
    await noDialog()
    expect(screen.getByRole('button', { name: 'A · Activate room' })).toHaveProperty('disabled', true)

    refuse('POST', /^\/host\/profile\/stop$/, { times: 1 })
    await stopping()
    await press(user, 'Stop room')
    await expectToast('Failed to stop user')
    await noDialog()
    expect(await phoneStatus()).toBe(200)
    await stopping()
    await press(user, 'Stop room')
    await expectToast('The room is stopped. Phones cannot sign in until it is activated.')
    expect(await phoneStatus()).toBe(401)

    await press(user, 'A · Activate room')
    await expectToast('The room is active')
    await changing()
    await press(user, 'Cancel')
    await noDialog()
    await changing()
    await press(user, 'Change phone')
    await expectToast('Device binding cleared. You can now login from a new phone.')
    const changeOwn = screen.getByRole('button', { name: 'C · Change phone' })
    await waitFor(() => expect(changeOwn.getAttribute('aria-description')).toBe('No phone has signed in yet'))
    await user.click(changeOwn)
    await noDialog()
  })
})
