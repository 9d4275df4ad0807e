import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'
import { buildHost, buildMaster, call } from '../../../../test/factories/accounts.ts'
import { expectToast, fill, inDialog, openPage, passTime, press } from '../../../../test/pages/page.tsx'
import { consent, setupWithZoom } from '../../../../test/zoom/emulated-zoom.ts'
import { openZoomWindow } from '../../../../test/zoom/zoom-window.ts'

const server = await setupWithZoom()
const EMAIL = 'ravi@tradingroom.example'
let master: Awaited<ReturnType<typeof buildMaster>>
beforeEach(async () => {
  master = await buildMaster(server)
})

const openAt = (address: string) => openPage(server, address, { ...master, role: 'master' })
const inForm = () => inDialog('Add New Host Account')
const expectAddress = (address: string) =>
  waitFor(() => expect(window.location.pathname + window.location.search).toBe(address))

async function openAdd() {
  const page = openAt('/master/hosts')
  await press(page.user, 'Add New Host')
  const form = await inForm()
  const enter = (label: RegExp, text: string) => fill(form.getByLabelText(label), text)
  return { ...page, form, enter, add: () => press(page.user, 'Add Host', form) }
}

describe('Add New Host', () => {
  test('adds a host with its Zoom account, and copies its credentials', async () => {
    const { username: taken } = await buildHost(server)
    const { user, form, enter, add, refuse } = await openAdd()
    const optionsOf = (label: string) =>
      within(form.getByLabelText(label))
        .getAllByRole('option')
        .map(({ textContent }) => textContent)
    const addButton = form.getByRole('button', { name: 'Add Host' })
    expect(addButton).toHaveProperty('disabled', true)
    form.getByText('Minimum 6 characters')
    expect(form.getByLabelText('Storage limit')).toHaveProperty('value', '5')
    expect(optionsOf('Storage limit')).toEqual([1, 5, 10, 25, 50, 100].map((gb) => `${gb} GB`))
    expect(optionsOf('Subscription')).toEqual(['1 month', '3 months', '12 months'])
    expect(form.getByRole('switch', { name: /^Recording enabled/ })).toHaveProperty('checked', true)

    await press(user, 'Connect Zoom', form)
    await form.findByText("Please enter the host's Zoom email address first")
    const roomName = form.getByRole('textbox', { name: 'Room name', description: /the next number, as in ROOM-1$/ })
    expect(roomName).toHaveProperty('placeholder', 'ROOM-1')
    enter(/^Email/, EMAIL)
    expect(form.queryByText("Please enter the host's Zoom email address first")).toBeNull()
    const zoomWindow = openZoomWindow(server)
    await press(user, 'Connect Zoom', form)
    await form.findByText('Continue in the Zoom window, and press Allow there.')
    await zoomWindow.answer(EMAIL)
    await form.findByText('Zoom connected! You can now create the host account.')
    expect(addButton).toHaveProperty('disabled', true)

    enter(/^Username/, taken)
    await press(user, 'Generate', form)
    const field = form.getByLabelText(/^Password/)
    expect(field).toHaveProperty('value', expect.stringMatching(/^\w{16}$/))
    const password = field instanceof HTMLInputElement ? field.value : ''
    await add()
    await form.findByText('Host Integration Error: This username is already taken')
    enter(/^Username/, 'ravi')
    refuse('POST', /^\/admin\/hosts\/integrate$/, { times: 1 })
    await add()
    await form.findByText('Host Integration Error: Failed to integrate host account')
    await passTime(2_000, async () => {
      await add()
      await form.findByText('Host account integrated successfully!')
      form.getByRole('button', { name: 'Copy credentials' })
    })
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

    const notice = await screen.findByText(/was added. Copy the password now/)
    expect(notice.textContent).toBe('ravi was added. Copy the password now: it won’t be shown again.')
    await press(user, 'Copy credentials')
    await expectToast('Credentials copied to clipboard')
    const { body } = await call(server, 'GET', '/admin/hosts', { as: master })
    const [{ user_id, ...host }] = body.data.hosts
    expect(await navigator.clipboard.readText()).toBe(
      `Sign in at: http://host.localhost:3000/login\nUsername: ravi\nPassword: ${password}\nHost ID: ${user_id}`,
    )
    expect(host).toMatchObject({ zoom_status: 'connected', room_name: `ROOM-${Number(user_id.slice(1))}` })
    const login = await call(server, 'POST', '/auth/host/login', { body: { username: 'ravi', password } })
    expect(login.status).toBe(200)
  })

  const INTEGRATE = /^\/admin\/hosts\/integrate$/
  const copiedPassword = async () => (await navigator.clipboard.readText()).match(/^Password: (.*)$/m)?.[1]

  async function loseFirstAnswer(proxyStatus?: number) {
    const page = await openAdd()
    page.enter(/^Email/, EMAIL)
    page.enter(/^Username/, 'ravi')
    page.enter(/^Password/, 'a long password')
    page.loseAnswer('POST', INTEGRATE, proxyStatus)
    await page.add()
    await page.form.findByText(/^Host Integration Error: Failed to integrate host account/)
    return page
  }

  async function usernames() {
    const { body } = await call(server, 'GET', '/admin/hosts', { as: master })
    return body.data.hosts.map(({ username }: { username: string }) => username)
  }

  test.each([
    ['on the line', undefined],
    ['behind a proxy', 502],
  ])('ends with the host of the first press whose answer was lost %s', async (_where, proxyStatus) => {
    const { add, form } = await loseFirstAnswer(proxyStatus)
    await add()
    await form.findByText('Host account integrated successfully!')
    expect(await usernames()).toEqual(['ravi'])
  })

  test('names the host of the first press when other values follow it', async () => {
    const { user, add, form, enter } = await loseFirstAnswer()
    enter(/^Password/, 'another password')
    enter(/^Mobile/, '+1 555 0102')
    await add()
    const words = await form.findByText(/^Your first press had already added/)
    expect(words.textContent).toBe(
      'Your first press had already added ravi. What you changed since then is not saved: use Edit Host for it.',
    )
    expect(await usernames()).toEqual(['ravi'])
    await press(user, 'Copy credentials', form)
    await expectToast('Credentials copied to clipboard')
    expect(await copiedPassword()).toBe('a long password')
  })

  test('does not take a host for its own that was there before the lost press', async () => {
    await buildHost(server, { username: 'ravi', email: EMAIL })
    const { add, form, enter, refuse } = await openAdd()
    enter(/^Email/, EMAIL)
    enter(/^Username/, 'ravi')
    enter(/^Password/, 'a long password')
    refuse('POST', INTEGRATE, { times: 1, status: 0 })
    await add()
    await form.findByText(/There is no connection to Parley/)
    await add()
    await form.findByText('Host Integration Error: This username is already taken')
  })

  test('refuses weak passwords and invisible characters', async () => {
    const { form, enter, add } = await openAdd()
    enter(/^Email/, EMAIL)
    enter(/^Username/, 'ra\u202evi')
    enter(/^Room name/, 'Hall\u00ad 1')
    enter(/^Password/, 'short')
    await add()
    await form.findByRole('textbox', {
      name: /^Username/,
      description: /cannot be seen \(right-to-left override, U\+202E\)/,
    })
    await form.findByRole('textbox', { name: /^Room name/, description: /cannot be seen \(soft hyphen, U\+00AD\)/ })
    await form.findByText(/Password must be at least 6 characters/)
    enter(/^Username/, 'ravi-of-hall')
    enter(/^Room name/, 'Hall 1')
    enter(/^Password/, 'RAVI-OF-HALL')
    await add()
    await form.findByText(/The password must not be the username/)
  })
})

describe('an address that opens Add New Host', () => {
  test.each([
    ['/master/hosts', 'success', 'Zoom integration successful! You can now create the host account.'],
    ['/master/hosts/add', 'integrated', 'Zoom account already integrated! You can create the host account.'],
    ['/host/host-master', '', 'Zoom connected! You can now create the host account.'],
  ])('confirms its result with the server: %s, %s', async (path, status, words) => {
    const end = await consent(server, EMAIL, { as: master, return_url: 'http://master.localhost:3000/master/hosts' })
    const oauth_result_id = end.searchParams.get('oauth_result') ?? end.searchParams.get('oauth_result_id') ?? ''
    const query = new URLSearchParams({ oauth_result_id, user_email: EMAIL, modal: 'add-host' })
    if (status) query.set('oauth_status', status)
    openAt(`${path}?${query}`)
    const form = await inForm()
    await form.findByText(words)
    expect(form.getByLabelText(/^Email/)).toHaveProperty('value', EMAIL)
    await expectAddress(path)
  })

  test.each([
    ['/master/hosts/add', 'modal=add-host&oauth_email=a@b.co&oauth_status=integrated', /^Zoom was not confirmed\./],
    ['/master/hosts', 'modal=add-host&oauth_result_id=unknown&user_email=a@b.co', 'OAuth integration failed.'],
    ['/host/host-master', 'oauth_status=success&user_email=a@b.co&access_token=T', /^Zoom was not confirmed\./],
    ['/host/host-master', 'oauth_result=unknown&user_email=a@b.co', 'OAuth integration failed.'],
    ['/master/hosts', 'modal=add-host', 'Optional. You can connect Zoom later.'],
  ])('is not proof of a connection: %s?%s', async (path, query, words) => {
    openAt(`${path}?${query}`)
    await (await inForm()).findByText(words)
    await expectAddress(path)
  })

  test('asks for the e-mail first on Host Master', async () => {
    const { user } = openAt('/host/host-master?modal=add-host&oauth_status=x')
    const form = await inForm()
    await press(user, 'Connect Zoom', form)
    await form.findByText('Please enter the host email first to integrate with Zoom')
    await expectAddress('/host/host-master')
  })
})

test.each([
  ['/master/hosts?oauth_status=error&error=oauth_failed&message=No+luck', 'OAuth failed: No luck'],
  ['/master/dashboard?oauth_email=a@b.co&oauth_status=integrated', 'Zoom integration completed for a@b.co.'],
])('an outcome that needs no form is shown on the page until it is dismissed: %s', async (address, words) => {
  const { user } = openAt(address)
  await screen.findByText(words)
  await expectAddress('/master/hosts')
  await press(user, 'Dismiss')
  await waitFor(() => expect(screen.queryByText(words)).toBeNull())
  expect(screen.queryByRole('dialog')).toBeNull()
})
