import { cleanup, screen, waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { buildHost, buildMaster, call, PASSWORD } from '../../test/factories/accounts.ts'
import { fill, openPage, passTime, press } from '../../test/pages/page.tsx'
import { setup } from '../../test/servers/setup.ts'
import { site } from '../lib/site.ts'

const server = await setup()
const heading = (name: string) => screen.findByRole('heading', { name, level: 1 })
const expectPath = (path: string) => waitFor(() => expect(window.location.pathname).toBe(path))

describe('the console', () => {
  test.each([
    ['public', '/', 'Your trusted digital companion', '/'],
    ['public', '/host/rooms', 'Host Login', '/login'],
    ['host', '/master', 'Host Login', '/login'],
    ['master', '/', 'Master Admin Login', '/master-login'],
  ] as const)('sends a visitor of the %s site from %s to %s', async (name, path, title, end) => {
    site.site = name
    openPage(server, path)
    await heading(title)
    await expectPath(end)
  })

  test.each([
    ['public', '/', 'Your trusted digital companion', '/'],
    ['public', '/host/rooms', 'Rooms Master', '/host/rooms'],
    ['host', '/nowhere', 'Dashboard', '/host/dashboard'],
    ['master', '/master/hosts', 'Dashboard', '/host/dashboard'],
  ] as const)('sends a host on the %s site from %s to %s', async (name, path, title, end) => {
    site.site = name
    openPage(server, path, { ...(await buildHost(server)), role: 'host' })
    await heading(title)
    await expectPath(end)
  })

  test.each([
    ['public', '/host/host-master', 'Host Master', '/host/host-master'],
    ['host', '/login', 'Host Management', '/master/hosts'],
    ['master', '/master/any/thing', 'Host Management', '/master/hosts'],
    ['master', '/host/online', 'Host Management', '/master/hosts'],
    ['host', '/host/app-info', 'Host Management', '/master/hosts'],
  ] as const)(
    'sends a master on the %s site from %s to %s, and fetches nothing of a host',
    async (name, path, title, end) => {
      site.site = name
      const { calls } = openPage(server, path, { ...(await buildMaster(server)), role: 'master' })
      await heading(title)
      await expectPath(end)
      await screen.findByRole('navigation', { name: 'Master Panel' })
      expect(calls.filter((made) => made.includes(' /host'))).toEqual([])
    },
  )

  test('leads from a public page to the login, and a host to its dashboard', async () => {
    const follow = async ({ user }: ReturnType<typeof openPage>) =>
      user.click(await screen.findByRole('link', { name: 'HOME' }))
    await follow(openPage(server, '/terms'))
    await heading('Host Login')
    cleanup()
    await follow(openPage(server, '/terms', { ...(await buildHost(server)), role: 'host' }))
    await heading('Dashboard')
  })

  test('asks a visitor of Host Master to log in, and then shows it', async () => {
    const { username, email } = await buildHost(server)
    const { user } = await passTime(1_500, async () => {
      const page = openPage(server, '/host/host-master')
      await screen.findByRole('heading', { name: 'Authentication Required' })
      screen.getByText('Please log in to access this page.')
      return page
    })
    await heading('Host Login')
    fill(screen.getByLabelText('Username'), username)
    fill(screen.getByLabelText(/^Password/), PASSWORD)
    await press(user, 'Sign in')
    await heading('Host Master')
    await screen.findByText(email)
  })
})

describe('a sign-in link', () => {
  const VERIFY = 'POST /auth/verify'
  const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  /** A token that anyone can write. */
  const forged = `${base64({ alg: 'none' })}.${base64({ adminId: 'm1', role: 'master' })}.`
  const linkTo = (path: string, token: string) => `${path}${path.includes('?') ? '&' : '?'}auth_token=${token}`

  /** Opens the link and lets all three attempts to verify it fail. */
  const openUnanswered = (link: string, status: number) =>
    passTime(2_000, async () => {
      const page = openPage(server, link)
      const stop = page.refuse('POST', /^\/auth\/verify$/, { status })
      await screen.findByText('Loading...')
      return { ...page, stop }
    })

  test('without a signature opens nothing, and ends at the login', async () => {
    site.site = 'master'
    const { calls } = openPage(server, linkTo('/master/hosts', forged))
    await heading('Master Admin Login')
    expect(calls.filter((made) => made === VERIFY)).toHaveLength(1) // a refusal is final
    expect(calls.filter((made) => made.includes('/admin'))).toEqual([])
    expect(sessionStorage.getItem('parley.session')).toBeNull()
  })

  test('of the same person changes nothing without a question', async () => {
    const host = await buildHost(server)
    const { body } = await call(server, 'POST', '/auth/host/login', {
      body: { username: host.username, password: PASSWORD },
    })
    const { calls } = openPage(server, linkTo('/host/rooms', body.data.token), { ...host, role: 'host' })
    await heading('Rooms Master')
    await waitFor(() => expect(calls.filter((made) => made === VERIFY)).toHaveLength(2))
    expect(screen.queryByText(/in this browser/)).toBeNull()
  })

  test('that was used before leaves everyone signed in', async () => {
    const host = await buildHost(server)
    const { token } = await buildMaster(server)
    await call(server, 'POST', '/auth/logout', { as: { token } })
    openPage(server, linkTo('/host/rooms', token), { ...host, role: 'host' })
    await screen.findByText('That sign-in link is not valid any more. You are still signed in as before.')
    await heading('Rooms Master')
  })

  test('opens an empty panel for a master while the server does not answer, and fills it afterwards', async () => {
    const { email } = await buildHost(server)
    const { token } = await buildMaster(server)
    site.site = 'master'
    const { user, calls, stop } = await openUnanswered(linkTo(`/master/hosts?q=${email}`, token), 503)
    await screen.findByText(/the owner of this link is not confirmed yet/)
    expect(calls.filter((made) => made === VERIFY)).toHaveLength(3)
    await press(user, 'Sign in as Master')
    await screen.findByText(/^Your sign-in could not be verified/)
    screen.getByText('Master Panel')
    expect(screen.getAllByText('Host Management')).toHaveLength(1) // only in the sidebar
    await press(user, /^Search/)
    fill(await screen.findByRole('combobox', { name: 'Go to a page' }), email)
    await screen.findByRole('option', { name: /^Search the documentation/ })
    await user.keyboard('{Escape}')
    expect(calls.filter((made) => made.includes('/admin'))).toEqual([])
    stop()
    await press(user, 'Try again')
    await screen.findByText(email)
  })

  test('without a signature loses the empty panel at the first refusal', async () => {
    site.site = 'master'
    const { user, calls, stop } = await openUnanswered(linkTo('/master/hosts', forged), 0)
    await passTime(5_000, async () => {
      await press(user, 'Sign in as Master')
      await screen.findByText(/^Your sign-in could not be verified/)
      stop()
    })
    await heading('Master Admin Login')
    expect(calls.filter((made) => made.includes('/admin'))).toEqual([])
  })

  test('shows a host nothing until the server has answered', async () => {
    const { token, username } = await buildHost(server)
    const { user, calls, stop } = await openUnanswered(linkTo('/host/rooms', token), 0)
    await screen.findByText('Parley does not answer')
    expect(calls.filter((made) => made.includes(' /host'))).toEqual([])
    stop()
    await press(user, 'Try again')
    await press(user, `Sign in as ${username}`)
    await heading('Rooms Master')
  })
})
