import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { http, MASTER } from '../server-process.ts'
import {
  HOST,
  passTimeUntil,
  type Sites,
  signInAsHost,
  signInAsMaster,
  startSites,
  stillContext,
  stored,
} from './sites.ts'

let sites: Sites
let context: BrowserContext
let page: Page
beforeAll(async () => {
  sites = await startSites()
  context = await sites.browser.newContext() // one for all tests: what one tab has fetched, the next need not
}, 60_000)
afterAll(() => sites.close())
beforeEach(async () => {
  page = await context.newPage()
})
afterEach(() => page.close())

const open = (site: 'public' | 'host' | 'master', path: string) => page.goto(sites.server[`${site}_url`] + path)
const says = (text: string) => page.getByText(text, { exact: true }).waitFor()
const toast = (text: string) => page.getByRole('region', { name: 'Messages' }).getByText(text, { exact: true })
const isInvalid = (label: string | RegExp) => page.getByLabel(label).getAttribute('aria-invalid')

test('the host login asks for both fields, and shows a refusal in the words of the server', async () => {
  await open('host', '/login')
  expect(await page.title()).toBe('Host Login · Parley')
  await says('Contact your administrator for login credentials')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await says('Username is required')
  await says('Password is required')
  expect(await isInvalid('Username')).toBe('true')
  expect(await page.getByLabel('Username').evaluate((field) => field === document.activeElement)).toBe(true)

  await page.getByLabel('Username').fill('a')
  expect(await page.getByText('Username is required').count()).toBe(0)
  await signInAsHost(page, 'wrong')
  await toast('Invalid username or password').waitFor()
})

test('a login that reaches nobody says so', async () => {
  await open('host', '/login')
  await context.setOffline(true)
  await signInAsHost(page)
  await toast('Login failed').waitFor()
  await context.setOffline(false)

  await open('master', '/master-login')
  await context.setOffline(true)
  await signInAsMaster(page)
  await page.getByRole('alert').getByText('Network error. Please try again.').waitFor()
  await context.setOffline(false)
  // What stands in for the server here is broken, and has no words of ours.
  await page.route('**/api/auth/master-login', (route) => route.fulfill({ status: 502, body: '<html>Bad Gateway' }))
  await signInAsMaster(page)
  await page.getByRole('alert').getByText('Login failed', { exact: true }).waitFor()
})

test('the master login has its rules, and shows a refusal in the page', async () => {
  await open('master', '/master-login')
  expect(await page.title()).toBe('Master Admin Login · Parley')
  await says('Master admin access only')
  await page.getByRole('button', { name: 'Sign In' }).click()
  await says('Email is required')
  await says('Password is required')
  await signInAsMaster(page, { email: 'master', password: 'seven77' })
  await says('Invalid email address')
  await says('Password must be at least 8 characters')
  await signInAsMaster(page, { email: MASTER.email, password: 'not the password' })
  await page.getByRole('alert').getByText('Invalid email or password').waitFor()
})

test('SEC-22 a login leads to the page that was asked for, keeps no more than it needs, and ends on both sides', async () => {
  await open('host', '/host/rooms')
  await page.waitForURL('**/login')
  const answered = page.waitForResponse('**/api/auth/host/login')
  await signInAsHost(page)
  await page.waitForURL('**/host/rooms')
  await toast('Login successful!').waitFor()

  const { token } = (await (await answered).json()).data
  const kept = await stored(page)
  expect(Object.keys(kept)).toEqual(['parley.session'])
  expect(JSON.stringify(kept)).not.toContain(token)
  const plain = decodeURIComponent(atob((kept['parley.session'] ?? '').split('').reverse().join('')))
  expect(Object.keys(JSON.parse(plain).user).sort()).toEqual(['full_name', 'id', 'role', 'username'])

  const ended = page.waitForResponse('**/api/auth/host/logout')
  await page.getByRole('button', { name: 'Log out' }).click()
  await toast('Logged out successfully').waitFor()
  expect((await ended).status()).toBe(200)
  expect(new URL(page.url()).pathname).toBe('/login')
  expect(await stored(page)).toEqual({})
  expect((await http(sites.server, 'POST', '/auth/verify', { token, body: {} })).status).toBe(401)
})

test('SEC-13 a master is greeted for four seconds, and logged out at the server too', async () => {
  const still = await stillContext(sites)
  const other = await still.newPage()
  await other.goto(`${sites.server.master_url}/master-login`)
  await signInAsMaster(other)
  const greeting = other.getByText('Master login successful!', { exact: true })
  await greeting.waitFor()
  await other.waitForURL('**/master/hosts')
  const passed = await passTimeUntil(other, async () => !(await greeting.isVisible()))
  expect(passed).toBeGreaterThanOrEqual(4000)
  expect(passed).toBeLessThan(5000)

  const ended = other.waitForResponse('**/api/auth/logout')
  await other.getByRole('button', { name: 'Log out' }).click()
  expect((await ended).status()).toBe(200)
  await other.getByText('Logged out successfully', { exact: true }).waitFor()
  await other.waitForURL('**/master-login')
  expect(await stored(other)).toEqual({})
  await still.close()
})

test.each([
  ['host', '/login'],
  ['master', '/master-login'],
  ['public', '/'],
] as const)('a 401 on the %s site signs out and leads to %s', async (site, end) => {
  const token = await sites.tokenOf('host')
  await open(site, `/host/rooms?auth_token=${token}`)
  await page.getByRole('heading', { name: 'Rooms Master' }).waitFor()
  await http(sites.server, 'POST', '/auth/logout', { token })
  // The page may have asked something by itself meanwhile, and be gone.
  await page.evaluate(() => document.querySelector<HTMLElement>('a[href="/host/app-info"]')?.click()).catch(() => {})
  await page.waitForURL(sites.server[`${site}_url`] + end)
  await page.waitForFunction(() => sessionStorage.getItem('parley.session') === null)
})

test('tabs of one session are signed out together, and learn of nothing else', async () => {
  await open('host', `/host/app-info?auth_token=${await sites.tokenOf('host')}`)
  await page.getByRole('heading', { name: 'App Info.' }).waitFor()
  // A tab that is opened by a page begins with a copy of its session.
  const opened = context.waitForEvent('page')
  await page.evaluate(() => void window.open('/host/rooms'))
  const other = await opened
  await other.getByRole('heading', { name: 'Rooms Master' }).waitFor()
  const stranger = await context.newPage()
  await stranger.goto(`${sites.server.host_url}/login`)
  await stranger.evaluate(() => {
    const heard: unknown[] = []
    Object.assign(window, { heard })
    new BroadcastChannel('parley-session').onmessage = ({ data }) => heard.push(data)
  })

  await page.getByRole('button', { name: 'Log out' }).click()
  await other.waitForURL('**/login')
  expect(await stored(other)).not.toHaveProperty('parley.session')
  await stranger.waitForFunction(() => Reflect.get(window, 'heard').length > 0)
  expect(await stranger.evaluate(() => Reflect.get(window, 'heard'))).toEqual(['changed'])
  await Promise.all([other.close(), stranger.close()])
})

test('a password can be shown, is left to the password manager, and Caps Lock is told', async () => {
  await open('host', '/login')
  const password = page.getByLabel(/^Password/)
  expect(await page.getByLabel('Username').getAttribute('autocomplete')).toBe('username')
  expect(await password.getAttribute('autocomplete')).toBe('current-password')
  await page.keyboard.press('Tab')
  await page.keyboard.type('secret')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  expect(await password.getAttribute('type')).toBe('text')
  expect(await password.inputValue()).toBe('secret')
  await page.getByRole('button', { name: 'Hide password' }).click()
  expect(await password.getAttribute('type')).toBe('password')

  await password.focus()
  await password.dispatchEvent('keydown', { key: 'A', modifierCapsLock: true })
  await says('Caps Lock is on')
})

test('a host whose subscription is cancelled is told', async () => {
  const token = await sites.tokenOf('master')
  const { hosts } = (await http(sites.server, 'GET', '/admin/hosts', { token })).body.data
  const { id } = hosts.find(({ username }: { username: string }) => username === HOST.username)
  await http(sites.server, 'POST', `/admin/hosts/${id}/cancel-subscription`, { token })
  await open('host', '/login')
  await signInAsHost(page)
  await toast('Your subscription has been cancelled. Please contact your administrator.').waitFor()
})
