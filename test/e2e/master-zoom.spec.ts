import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { http } from '../server-process.ts'
import { type Sites, startSites } from './sites.ts'

const PASSWORD = 'a-good-password'
const WAIT_SECONDS = 40

let sites: Sites
let context: BrowserContext
let page: Page
let token: string

beforeAll(async () => {
  sites = await startSites({ ZOOM_CONNECT_SECONDS: String(WAIT_SECONDS) })
  token = await sites.tokenOf('master')
  context = await sites.browser.newContext()
  await context.clock.install()
  page = await context.newPage()
  page.setDefaultTimeout(20_000)
  await page.goto(`${sites.server.master_url}/master/hosts?auth_token=${token}`)
  await page.getByRole('heading', { name: 'Host Management' }).waitFor()
}, 60_000)
afterAll(() => sites.close())
beforeEach(async () => {
  await page.unrouteAll()
  // A window that a failed test has left would be taken for the next one's.
  for (const other of context.pages()) if (other !== page) await other.close()
})

const open = (path: string) => page.goto(`${sites.server.master_url}${path}`)
const addForm = () => page.getByRole('dialog', { name: 'Add New Host Account' })
const editForm = () => page.getByRole('dialog', { name: 'Edit Host' })
const search = () => new URL(page.url()).search

async function openAddForm(email = '') {
  await open('/master/hosts')
  await page.getByRole('button', { name: 'Add New Host' }).first().click()
  if (email) await addForm().getByLabel('Email').fill(email)
}

async function openEditForm(username: string) {
  await open(`/master/hosts?q=${username}`)
  await page.getByRole('button', { name: `Edit ${username}`, exact: true }).click()
}

/** Presses the form's button, and gives the window that opens. */
async function begin(name = 'Connect Zoom'): Promise<Page> {
  const opened = context.waitForEvent('page')
  await page.getByRole('dialog').getByRole('button', { name }).click()
  return opened
}

/** At the consent page: chooses an account by its e-mail and answers. */
async function answer(popup: Page, email: string, button: 'Allow' | 'Deny') {
  await popup.getByRole('radio', { name: /another account/ }).check()
  await popup.getByLabel('E-mail of the other account').fill(email)
  await popup.getByRole('button', { name: button }).click()
}

const control = (path: string, body: object) =>
  fetch(`${sites.server.emulator_origin}/_emulator${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

async function hostOf(username: string) {
  const { body } = await http(sites.server, 'GET', '/admin/hosts', { token })
  return body.data.hosts.find((host: { username: string }) => host.username === username)
}

test('a host is added with its Zoom account, and its credentials can be copied', async () => {
  await openAddForm()
  const form = addForm()
  const add = form.getByRole('button', { name: 'Add Host' })
  expect(await add.isDisabled()).toBe(true)
  await form.getByText('Minimum 6 characters').waitFor()
  expect(await form.getByLabel('Storage limit').inputValue()).toBe('5')
  expect(await form.getByLabel('Storage limit').locator('option').allTextContents()).toEqual(
    [1, 5, 10, 25, 50, 100].map((gb) => `${gb} GB`),
  )
  expect(await form.getByLabel('Subscription').locator('option').allTextContents()).toEqual([
    '1 month',
    '3 months',
    '12 months',
  ])
  expect(await form.getByLabel('Recording enabled').isChecked()).toBe(true)

  await form.getByRole('button', { name: 'Connect Zoom' }).click()
  await form.getByText("Please enter the host's Zoom email address first").waitFor()
  await form.getByLabel('Email').fill('ravi@tradingroom.example')
  const popup = await begin()
  await popup.getByRole('button', { name: 'Allow' }).waitFor()
  expect(await popup.evaluate(() => window.name)).toBe('zoom_oauth')
  await form.getByText('Continue in the Zoom window, and press Allow there.').waitFor()
  await answer(popup, 'ravi@tradingroom.example', 'Allow')
  await form.getByText('Zoom connected! You can now create the host account.').waitFor()
  expect(await add.isDisabled()).toBe(true)

  await form.getByLabel('Username').fill('ana') // taken
  await form.getByRole('button', { name: 'Generate' }).click()
  const password = await form.getByLabel(/^Password/).inputValue()
  expect(password).toMatch(/^[\w]{16}$/)
  await add.click()
  await form.getByText('Host Integration Error: This username is already taken').waitFor()
  await page.route('**/api/admin/hosts/integrate', (route) => route.abort())
  await form.getByLabel('Username').fill('ravi')
  await add.click()
  await form.getByText('Host Integration Error: Failed to integrate host account').waitFor()
  await page.unrouteAll()
  await add.click()
  await form.getByText('Host account integrated successfully!').waitFor()
  await form.getByRole('button', { name: 'Copy credentials' }).waitFor()
  await page.clock.fastForward(2_000)
  await form.waitFor({ state: 'detached' })
  await page.getByText('The password of the new host ravi is not shown again.').waitFor()
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: sites.server.master_url })
  await page.getByRole('button', { name: 'Copy credentials' }).click()
  await page.getByText('Credentials copied to clipboard').waitFor()
  const { user_id, room_name, zoom_status } = await hostOf('ravi')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    `Login: ${sites.server.host_url}/login\nUsername: ravi\nPassword: ${password}\nHost ID: ${user_id}`,
  )
  expect(zoom_status).toBe('connected')
  expect(room_name).toMatch(/^ROOM-\d+$/)
  const login = await http(sites.server, 'POST', '/auth/host/login', { body: { username: 'ravi', password } })
  expect(login.status).toBe(200)
})

test('each way that a consent can end is told in the form', async () => {
  await openAddForm('grace@eveningprayer.example')
  const form = addForm()
  const says = (text: string | RegExp) => form.getByText(text).waitFor()

  await answer(await begin(), 'grace@eveningprayer.example', 'Deny')
  await says('OAuth failed: Zoom access was denied. Please try again and ensure you grant the necessary permissions.')

  await answer(await begin(), 'somebody@else.example', 'Allow')
  await says(
    'OAuth failed: The Zoom account email does not match the expected email address. Please ensure you are using the correct Zoom account.',
  )

  await (await begin()).close()
  await says('The Zoom window was closed before Zoom was connected.')

  const late = await begin()
  await late.getByRole('button', { name: 'Allow' }).waitFor()
  await page.clock.fastForward((WAIT_SECONDS - 10) * 1000)
  expect(await form.getByRole('button', { name: 'Cancel connecting' }).count()).toBe(1)
  const closed = late.waitForEvent('close')
  await page.clock.fastForward(10_000)
  await says('OAuth timeout - please try again')
  await closed

  await page.route('**/api/oauth/url?*', (route) => route.abort())
  await begin()
  await says('Zoom OAuth Error: Failed to start Zoom integration')
  await page.unrouteAll()

  const cancelled = await begin()
  const shut = cancelled.waitForEvent('close')
  await form.getByRole('button', { name: 'Cancel connecting' }).click()
  await shut
  await says('Optional now. It can be connected later too.')

  await page.evaluate(() => Object.assign(window, { open: () => null }))
  await form.getByRole('button', { name: 'Connect Zoom' }).click()
  await says('The browser blocked the Zoom window. Allow pop-up windows for this site, then try again.')
})

test('a window that Zoom has cut off and then closed counts by what the server knows', async () => {
  await openAddForm('grace@eveningprayer.example')
  const popup = await begin()
  // Neither of its two voices reaches the form.
  await popup.addInitScript(() => {
    Object.defineProperty(window, 'opener', { value: null })
    Object.assign(window, {
      BroadcastChannel: class {
        postMessage() {}
        close() {}
        addEventListener() {}
      },
    })
  })
  await answer(popup, 'grace@eveningprayer.example', 'Allow')
  await addForm().getByText('Zoom connected! You can now create the host account.').waitFor()
})

test('an account that one room uses already cannot be connected to another', async () => {
  await openAddForm('ravi@tradingroom.example')
  await answer(await begin(), 'ravi@tradingroom.example', 'Allow')
  await addForm()
    .getByText(/^OAuth failed: .*ravi@tradingroom\.example.* is connected/)
    .waitFor()
})

test('a result in the address opens the form on both pages, and is confirmed with the server', async () => {
  for (const [place, status, words] of [
    ['/master/hosts', 'success', 'Zoom integration successful! You can now create the host account.'],
    ['/master/hosts/add', 'integrated', 'Zoom account already integrated! You can create the host account.'],
    ['/host/host-master', null, 'Zoom connected! You can now create the host account.'],
  ] as const) {
    const { oauth_result_id } = await consentTo('tom@openclass.example')
    const query = new URLSearchParams({ oauth_result_id, user_email: 'tom@openclass.example', modal: 'add-host' })
    if (status) query.set('oauth_status', status)
    await open(`${place}?${query}`)
    await addForm().getByText(words).waitFor()
    expect(await addForm().getByLabel('Email').inputValue()).toBe('tom@openclass.example')
    expect(search()).toBe('')
  }
})

test.each([
  ['/master/hosts?modal=add-host', null],
  ['/master/hosts/add?modal=add-host&oauth_email=a@b.co&oauth_status=integrated', 'Zoom was not confirmed.'],
  ['/master/hosts?modal=add-host&oauth_result_id=unknown&user_email=a@b.co', 'OAuth integration failed.'],
  [
    '/master/hosts?modal=add-host&oauth_status=error&error=email_mismatch&expected_email=a@b.co&actual_email=c@d.co',
    'Email mismatch: Expected a@b.co, but got c@d.co from Zoom.',
  ],
  ['/host/host-master?oauth_status=success&user_email=a@b.co&access_token=T', 'Zoom was not confirmed.'],
  ['/host/host-master?oauth_result=unknown&user_email=a@b.co', 'OAuth integration failed.'],
  ['/host/host-master?modal=add-host&oauth_status=error&error=oauth_failed&message=No+luck', 'OAuth failed: No luck'],
])('%s opens the form, and is then stripped', async (address, words) => {
  await open(address)
  await addForm().waitFor()
  if (words) await addForm().getByText(words).waitFor()
  expect(search()).toBe('')
})

test.each([
  ['/master/hosts?oauth_status=error&error=oauth_failed&message=No+luck', 'OAuth failed: No luck'],
  ['/master/hosts?oauth_status=error', 'OAuth integration failed.'],
  ['/master/dashboard?oauth_email=a@b.co&oauth_status=integrated', 'Zoom integration completed for a@b.co.'],
])('%s is told on the page, and no form opens', async (address, words) => {
  await open(address)
  await page.getByText(words).waitFor()
  expect(search()).toBe('')
  expect(await page.getByRole('dialog').count()).toBe(0)
  await page.getByRole('button', { name: 'Dismiss' }).last().click()
  await page.getByText(words).waitFor({ state: 'detached' })
})

test('on Host Master the e-mail comes first too, in its own words', async () => {
  await open('/host/host-master?modal=add-host&oauth_status=x')
  await addForm().getByRole('button', { name: 'Connect Zoom' }).click()
  await addForm().getByText('Please enter the host email first to integrate with Zoom').waitFor()
})

test('a host’s Zoom is connected, given up and connected again from Edit Host', async () => {
  const body = { username: 'grace', email: 'grace@eveningprayer.example', password: PASSWORD, subscription_type: 1 }
  await http(sites.server, 'POST', '/admin/hosts/integrate', { token, body })
  const form = editForm()
  const save = async () => {
    await form.getByRole('button', { name: 'Save changes' }).click()
    await form.getByText('Host updated successfully').waitFor()
  }

  await openEditForm('grace')
  await form.getByLabel('Zoom email').fill('grace.zoom@eveningprayer.example')
  await form.getByRole('button', { name: 'Save changes' }).click()
  await form.getByText('Press Connect Zoom to use this account, or leave this blank').waitFor()
  await control('/options', { coop: true }) // Zoom's page cuts the window off from ours
  await answer(await begin(), 'grace.zoom@eveningprayer.example', 'Allow')
  await form.getByText('Zoom connected! You can now continue.').waitFor()
  await control('/options', { coop: false })
  await save()
  expect(await hostOf('grace')).toMatchObject({
    zoom_status: 'connected',
    zoom_user_email: 'grace.zoom@eveningprayer.example',
  })

  await openEditForm('grace')
  await form.getByRole('button', { name: 'Disconnect' }).click()
  await form.getByText('The connection is ended when you save.').waitFor()
  expect((await hostOf('grace')).zoom_status).toBe('connected') // until it is saved
  await save()
  expect(await hostOf('grace')).toMatchObject({ zoom_status: 'not_connected', zoom_user_email: null })
})

test('a host whose grant Zoom has ended is found by its filter, and connected again', async () => {
  const email = 'ravi@tradingroom.example'
  const { id } = await hostOf('ravi')
  await control('/tokens/expire', { email, refresh: true })
  await http(sites.server, 'PUT', `/admin/hosts/${id}`, { token, body: { room_name: 'Trading room' } })
  expect((await hostOf('ravi')).zoom_status).toBe('reconnect_needed')

  await open('/master/hosts?filter=reconnect')
  const marked = page.getByRole('table', { name: 'Hosts', exact: true }).getByRole('row', { name: /ravi/ })
  await marked.getByText('Reconnect needed').waitFor()
  await page.getByRole('button', { name: 'Edit ravi', exact: true }).click()
  await editForm().getByText(`Zoom no longer accepts the connection of ${email}. Connect it again.`).waitFor()
  await answer(await begin('Reconnect Zoom'), email, 'Allow')
  await editForm().getByText('Zoom connected! You can now continue.').waitFor()
  await editForm().getByRole('button', { name: 'Cancel' }).click()
  expect((await hostOf('ravi')).zoom_status).toBe('connected') // the consent itself has done it
})

/** A consent without a browser: the result waits to be claimed. */
async function consentTo(email: string): Promise<{ oauth_result_id: string }> {
  const query = new URLSearchParams({ email, return_url: `${sites.server.master_url}/master/hosts` })
  const { body } = await http(sites.server, 'GET', `/oauth/url?${query}`, { token })
  const consent = await (await fetch(body.auth_url)).text()
  const back = await fetch(`${sites.server.emulator_origin}/oauth/consent`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({
      request: /name="request" value="([^"]+)"/.exec(consent)?.[1] ?? '',
      account: 'other',
      email,
      action: 'allow',
    }),
  })
  await fetch(back.headers.get('location') ?? '', { redirect: 'manual' })
  return body
}
