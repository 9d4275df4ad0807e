import { screen, waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { buildHost, buildMaster, call, type TestHost } from '../../../test/factories/accounts.ts'
import { expectToast, fill, openPage, press } from '../../../test/pages/page.tsx'
import { setup } from '../../../test/servers/setup.ts'
import { site } from '../../lib/site.ts'

const server = await setup()
const NEW = 'seven green kettles'

async function makeLink(host: TestHost, body: object = {}): Promise<string> {
  const as = await buildMaster(server)
  const made = await call(server, 'POST', `/admin/hosts/${host.id}/reset-link`, { as, body })
  return made.body.data.url.split('#')[1]
}

const login = (username: string, password: string) =>
  call(server, 'POST', '/auth/host/login', { body: { username, password } })

function openLink(token: string) {
  site.site = 'host'
  return openPage(server, `/link#${token}`)
}

describe('Set your password', () => {
  test('sets the password of the account that it shows, and leads to the sign-in', async () => {
    const host = await buildHost(server)
    const { user } = openLink(await makeLink(host))
    await screen.findByRole('heading', { name: 'Set your password' })
    await waitFor(() => expect(document.title).toBe('Set your password · Parley'))
    expect(window.location.href).not.toContain('#')
    expect(screen.getByLabelText('Account')).toMatchObject({ value: host.username, readOnly: true })
    screen.getByText(host.username)
    expect(screen.queryByText('This also removes the second factor of the account.')).toBeNull()
    const password = screen.getByLabelText(/^New password/)
    expect(password.getAttribute('autocomplete')).toBe('new-password')
    fill(password, NEW)
    await press(user, 'Set password')
    await expectToast('Password set. Please sign in.')
    await screen.findByRole('heading', { name: 'Host Login' })
    expect((await login(host.username, NEW)).status).toBe(200)
  })

  test('shows under the field why a password is refused', async () => {
    const host = await buildHost(server)
    const { user } = openLink(await makeLink(host, { remove_second_factor: true }))
    await screen.findByText('This also removes the second factor of the account.')
    fill(screen.getByLabelText(/^New password/), 'short')
    await press(user, 'Set password')
    await screen.findByText('The password must have at least 8 characters')
    fill(screen.getByLabelText(/^New password/), 'password1')
    await press(user, 'Set password')
    await screen.findByText('This password is too common. Choose another.')
    fill(screen.getByLabelText(/^New password/), NEW)
    await press(user, 'Set password')
    await expectToast('Password set. Please sign in.')
  })

  test('says that a link is not valid any more', async () => {
    openLink('x'.repeat(43))
    await screen.findByRole('heading', { name: 'This link is not valid any more' })
    expect(screen.getByRole('link', { name: 'Go to the sign-in page' }).getAttribute('href')).toBe('/login')
    expect(screen.queryByText(/may have been set/)).toBeNull()
  })

  test('says after a lost answer that the password may have been set', async () => {
    const host = await buildHost(server)
    const { user, loseAnswer } = openLink(await makeLink(host))
    await screen.findByRole('heading', { name: 'Set your password' })
    loseAnswer('POST', /links\/use$/)
    fill(screen.getByLabelText(/^New password/), NEW)
    await press(user, 'Set password')
    await screen.findByText(/^The password could not be set\. There is no connection/)
    await press(user, 'Set password')
    await screen.findByText('Your new password may have been set all the same: try to sign in with it first.')
    expect((await login(host.username, NEW)).status).toBe(200)
  })

  test('says so too when it was used meanwhile', async () => {
    const host = await buildHost(server)
    const token = await makeLink(host)
    const { user } = openLink(token)
    await screen.findByRole('heading', { name: 'Set your password' })
    await call(server, 'POST', '/auth/links/use', { body: { token, password: 'nine blue teapots' } })
    fill(screen.getByLabelText(/^New password/), NEW)
    await press(user, 'Set password')
    await screen.findByRole('heading', { name: 'This link is not valid any more' })
  })
})
