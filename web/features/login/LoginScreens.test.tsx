import { fireEvent, screen, waitFor } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { buildHost, buildMaster, call, PASSWORD } from '../../../test/factories/accounts.ts'
import { addTotp, totpCode } from '../../../test/factories/second-factor.ts'
import { expectToast, fill, openPage, passTime, press } from '../../../test/pages/page.tsx'
import { setup } from '../../../test/servers/setup.ts'
import { currentSession } from '../../lib/session/session.ts'
import { site } from '../../lib/site.ts'

const server = await setup()

async function openHostLogin() {
  const page = openPage(server, '/login')
  await screen.findByRole('heading', { name: 'Host Login' })
  const logIn = (username: string, password: string) => {
    fill(screen.getByLabelText('Username'), username)
    fill(screen.getByLabelText(/^Password/), password)
    return press(page.user, 'Sign in')
  }
  return { ...page, logIn }
}

async function openMasterLogin() {
  site.site = 'master'
  const page = openPage(server, '/master-login')
  await screen.findByRole('heading', { name: 'Master Admin Login' })
  const logIn = (email: string, password: string) => {
    fill(screen.getByLabelText('Email'), email)
    fill(screen.getByLabelText(/^Password/), password)
    return press(page.user, 'Sign In')
  }
  return { ...page, logIn }
}

/** The form shows the failure too, beside the toast. */
const shownFailure = (words: string) =>
  waitFor(() => expect(screen.getAllByRole('alert').map(({ textContent }) => textContent)).toContain(words))

describe('a login page', () => {
  test.each([
    ['signed_out', 'You signed out in another tab.'],
    ['password_changed', 'Your password was changed, so please sign in with the new one.'],
    ['reset', 'The password of this account was reset, so please sign in with the new one.'],
    ['removed', 'You were signed out because this account has been removed.'],
    ['ended', 'You were signed out from the list of sessions in your account.'],
    [
      'cancelled',
      'You were signed out because your subscription has been cancelled; please contact your administrator.',
    ],
    ['deleted', 'You were signed out because this account has been deleted; please contact your administrator.'],
    ['idle', 'You were signed out because nothing was done here for 2 hours.'],
    ['expired', 'You were signed out because a sign-in lasts 12 hours at most.'],
    [
      'signed_in_elsewhere',
      'You were signed out because this account has signed in elsewhere since; its newest 20 sign-ins last.',
    ],
    ['whatever', 'Your session has ended, so please sign in again.'],
  ])('says why someone is back: %s', async (reason, words) => {
    sessionStorage.setItem('parley.signed-out', reason)
    const { logIn } = reason === 'idle' ? await openMasterLogin() : await openHostLogin()
    screen.getByText(words)
    await logIn(`${reason}@nowhere.example`, 'not the password')
    await shownFailure(reason === 'idle' ? 'Invalid email or password' : 'Invalid username or password')
    expect(screen.queryByText(words)).toBeNull()
  })

  test('leads to the public site, the documentation and the support page', async () => {
    const { user } = await openHostLogin()
    expect(screen.getByRole('link', { name: 'Home' }).getAttribute('href')).toBe(site.public_url)
    screen.getByRole('link', { name: 'Support' })
    await user.click(screen.getByRole('link', { name: 'Documentation' }))
    await waitFor(() => expect(window.location.pathname).toBe('/documentation'))
  })
})

describe('Host Login', () => {
  test('requires both fields', async () => {
    const { user } = await openHostLogin()
    await waitFor(() => expect(document.title).toBe('Host Login · Parley'))
    screen.getByText('Contact your administrator for login credentials')
    await press(user, 'Sign in')
    await screen.findByText('Username is required')
    await screen.findByText('Password is required')
    const username = screen.getByLabelText('Username')
    expect(username.getAttribute('aria-invalid')).toBe('true')
    expect(document.activeElement).toBe(username)
    await user.type(username, 'a')
    await waitFor(() => expect(screen.queryByText('Username is required')).toBeNull())
  })

  test('shows why the server refuses a login, and marks the fields until one is changed', async () => {
    const { id, username } = await buildHost(server)
    const { logIn, refuse } = await openHostLogin()
    await logIn(username, 'wrong')
    await expectToast('Invalid username or password')
    await shownFailure('Invalid username or password')
    const marks = () =>
      [screen.getByLabelText('Username'), screen.getByLabelText(/^Password/)].map((field) =>
        field.getAttribute('aria-invalid'),
      )
    expect(marks()).toEqual(['true', 'true'])
    fireEvent.input(screen.getByLabelText('Username'), { target: { value: 'a' } })
    await waitFor(() => expect(marks()).toEqual([null, null]))
    await call(server, 'POST', `/admin/hosts/${id}/cancel-subscription`, { as: await buildMaster(server) })
    await logIn(username, PASSWORD)
    await expectToast('Your subscription has been cancelled. Please contact your administrator.')
    expect(marks()).toEqual([null, null]) // the credentials are right
    refuse('POST', /^\/auth\/host\/login$/, { status: 0 })
    await logIn(username, PASSWORD)
    await expectToast('Login failed. There is no connection to Parley.')
  })

  test('opens the page that was asked for, and logs out here and at the server', async () => {
    const { username } = await buildHost(server)
    const { user } = openPage(server, '/host/rooms')
    await screen.findByRole('heading', { name: 'Host Login' })
    expect(window.location.pathname).toBe('/login')
    fill(screen.getByLabelText('Username'), username)
    fill(screen.getByLabelText(/^Password/), PASSWORD)
    await press(user, 'Sign in')
    await expectToast('Login successful!')
    await screen.findByRole('heading', { name: 'Rooms Master' })
    expect(window.location.pathname).toBe('/host/rooms')
    const { token } = currentSession()
    const verified = async () =>
      (await call(server, 'POST', '/auth/verify', { as: { token: token ?? '' }, body: {} })).status
    expect(await verified()).toBe(200)

    await press(user, 'Log out')
    await expectToast('Logged out successfully')
    await screen.findByRole('heading', { name: 'Host Login' })
    expect({ ...sessionStorage }).toEqual({})
    await expect.poll(verified).toBe(401)
  })

  test('shows the password on request, leaves it to the password manager, and notices Caps Lock', async () => {
    const { user } = await openHostLogin()
    const username = screen.getByLabelText('Username')
    const password = screen.getByLabelText(/^Password/)
    expect(username.getAttribute('autocomplete')).toBe('username')
    expect(document.activeElement).toBe(username)
    await user.tab()
    await user.keyboard('secret')
    await user.tab()
    await user.keyboard('{Enter}')
    expect(password).toMatchObject({ type: 'text', value: 'secret' })
    expect(password.getAttribute('autocomplete')).toBe('current-password')
    await press(user, 'Hide password')
    expect(password).toMatchObject({ type: 'password' })
    fireEvent.keyDown(password, { key: 'A', modifierCapsLock: true })
    await screen.findByText('Caps Lock is on')
  })
})

describe('Master Admin Login', () => {
  test('checks what is entered, and shows why the server refuses it', async () => {
    const { email } = await buildMaster(server)
    const { logIn, refuse } = await openMasterLogin()
    await waitFor(() => expect(document.title).toBe('Master Admin Login · Parley'))
    screen.getByText('Master admin access only')
    await logIn('master', 'seven77')
    await screen.findByText('Invalid email address')
    await screen.findByText('Password must be at least 8 characters')
    const alert = (words: string) => waitFor(() => expect(screen.getByRole('alert').textContent).toBe(words))
    await logIn(email, 'not the password')
    await alert('Invalid email or password')
    refuse('POST', /^\/auth\/master-login$/, { times: 1, status: 0 })
    await logIn(email, PASSWORD)
    await alert('Network error. Please try again.')
    refuse('POST', /^\/auth\/master-login$/, { status: 502 })
    await logIn(email, PASSWORD)
    await alert('Login failed')
  })

  test('greets for some seconds, and logs out at the server too', async () => {
    const { email } = await buildMaster(server)
    const { user, logIn, calls } = await openMasterLogin()
    const greeting = 'Master login successful!'
    await passTime(2_000, async () => {
      await logIn(email, PASSWORD)
      await screen.findByText(greeting)
      await vi.advanceTimersByTimeAsync(2_000)
      screen.getByText(greeting)
    })
    await waitFor(() => expect(screen.queryByText(greeting)).toBeNull())
    await screen.findByRole('heading', { name: 'Host Management' })
    await press(user, 'Log out')
    await expectToast('Logged out successfully')
    await screen.findByRole('heading', { name: 'Master Admin Login' })
    expect(window.location.pathname).toBe('/master-login')
    await waitFor(() => expect(calls).toContain('POST /auth/logout'))
    expect({ ...sessionStorage }).toEqual({})
  })
})

describe('the second step', () => {
  test('takes the place of the login, and signs in with the code of the app', async () => {
    const host = await buildHost(server)
    const { secret } = await addTotp(server, host)
    const { user, logIn } = await openHostLogin()
    await logIn(host.username, PASSWORD)
    await screen.findByRole('heading', { name: 'Second step' })
    const field = screen.getByLabelText('Code from your app')
    expect(document.activeElement).toBe(field)
    expect(field.getAttribute('autocomplete')).toBe('one-time-code')
    expect(field.getAttribute('inputmode')).toBe('numeric')
    expect(currentSession().user).toBeNull()
    await press(user, 'Continue')
    await screen.findByText('Enter the code that your app shows')
    fill(field, '000000')
    await press(user, 'Continue')
    await shownFailure('This code is wrong, or was used before. 4 tries left.')
    fill(field, totpCode(secret, Date.now()))
    await press(user, 'Continue')
    await expectToast('Login successful!')
    expect(currentSession().user?.id).toBe(host.id)
  })

  test('takes a recovery code, and says how many are left', async () => {
    const master = await buildMaster(server)
    const { recovery_codes } = await addTotp(server, master)
    const { user, logIn } = await openMasterLogin()
    await logIn(master.email, PASSWORD)
    await press(user, 'Use a recovery code')
    expect(document.activeElement).toBe(screen.getByLabelText('Recovery code'))
    await press(user, 'Code from your app')
    fill(await screen.findByLabelText('Code from your app'), '000000')
    await press(user, 'Continue')
    await shownFailure('This code is wrong, or was used before. 4 tries left.')
    await press(user, 'Use a recovery code')
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull()) // it was about the other code
    fill(screen.getByLabelText('Recovery code'), recovery_codes[0] ?? '')
    await press(user, 'Continue')
    await expectToast('Signed in. 9 recovery codes left.')
    expect(currentSession().user?.id).toBe(master.id)
  })

  test('says who helps where no factor of the account works', async () => {
    const host = await buildHost(server)
    const key = { credential_id: 'former', public_key: '', counter: 0, transports: [], rp_id: 'former.example' }
    await server.deps.db
      .insertInto('passkeys')
      .values({ ...key, name: 'Laptop', host_id: host.id, created_at: new Date() })
      .execute()
    const { user, logIn } = await openHostLogin()
    await logIn(host.username, PASSWORD)
    await screen.findByText(/^None of your second factors works .* Ask your administrator for a new link\.$/)
    expect(screen.queryByLabelText('Recovery code')).toBeNull()
    await press(user, 'Start over')
    await screen.findByRole('heading', { name: 'Host Login' })
  })

  test('ends where it has run out, and starts over', async () => {
    const host = await buildHost(server)
    await addTotp(server, host)
    const { user, logIn } = await openHostLogin()
    await logIn(host.username, PASSWORD)
    await screen.findByRole('heading', { name: 'Second step' })
    await server.deps.db.deleteFrom('sign_in_challenges').execute()
    fill(screen.getByLabelText('Code from your app'), '000000')
    await press(user, 'Continue')
    await shownFailure('This sign-in took too long or failed too often. Please sign in again.')
    expect(screen.queryByRole('button', { name: 'Continue' })).toBeNull()
    await press(user, 'Start over')
    await screen.findByRole('heading', { name: 'Host Login' })
  })
})
