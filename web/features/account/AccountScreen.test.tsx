import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { buildHost, buildMaster, call, openSession, PASSWORD, type TestHost } from '../../../test/factories/accounts.ts'
import { addTotp, totpCode } from '../../../test/factories/second-factor.ts'
import { expectToast, fill, inDialog, openPage, press } from '../../../test/pages/page.tsx'
import { setup } from '../../../test/servers/setup.ts'

const NEW = 'seven green kettles'

const server = await setup()
let host: TestHost
beforeEach(async () => {
  host = await buildHost(server)
})
const openAccount = () => openPage(server, '/host/account', { ...host, role: 'host' })
const devices = () => within(screen.getByRole('region', { name: 'Sessions' })).getAllByRole('listitem')

test('Account changes the password, once the current one is right, and ends other sessions', async () => {
  const other = { token: await openSession(server, host.id) }
  const { user, calls } = openAccount()
  await waitFor(() => expect(devices()).toHaveLength(2))
  await press(user, 'Change password')
  await screen.findByText('Current password is required')
  screen.getByText('New password is required')
  fill(screen.getByLabelText('Current password'), 'a guess')
  fill(screen.getByLabelText('New password'), NEW)
  await press(user, 'Change password')
  await screen.findByText('This is not your current password.')
  fill(screen.getByLabelText('Current password'), PASSWORD)
  fill(screen.getByLabelText('New password'), host.username.padEnd(4))
  fill(screen.getByLabelText('New password'), 'password1')
  await press(user, 'Change password')
  await screen.findByText('This password is too common. Choose another.')
  fill(screen.getByLabelText('New password'), NEW)
  await press(user, 'Change password')
  await expectToast('Password changed. 1 other session was ended.')
  await screen.findByText(/^Last changed on /)
  await waitFor(() => expect(devices()).toHaveLength(1))
  expect(screen.getByLabelText('New password')).toHaveProperty('value', '')
  expect(calls.filter((one) => one === 'POST /account/password')).toHaveLength(3)
  expect((await call(server, 'GET', '/account', { as: other })).status).toBe(401)
})

test('Account says how hard the new password is to guess, from the names of the account too', async () => {
  openAccount()
  await waitFor(() => expect(devices()).toHaveLength(1))
  expect(screen.queryByText(/^Password strength/)).toBeNull()
  const strengthOf = async (password: string, word: string) => {
    fill(screen.getByLabelText('New password'), password)
    const [strength] = await screen.findAllByText((_, part) => part?.textContent === `Password strength: ${word}`)
    expect(strength?.closest('[role=status], output')).toBeTruthy()
  }
  await strengthOf('kJ4#x', 'Too weak') // for its length
  await strengthOf(host.email, 'Too weak')
  await strengthOf('qwertyuiop12', 'Weak')
  await strengthOf('x7Gk2mPq', 'Fair')
  await strengthOf('K7#fj2!pQ', 'Good')
  await strengthOf(NEW, 'Strong')
  fill(screen.getByLabelText('New password'), '')
  await waitFor(() => expect(screen.queryByText(/^Password strength/)).toBeNull())
})

test('Account says that the password was changed, though the answer was lost', async () => {
  const { user, loseAnswer, calls } = openAccount()
  await waitFor(() => expect(devices()).toHaveLength(1))
  loseAnswer('POST', /^\/account\/password$/)
  fill(screen.getByLabelText('Current password'), PASSWORD)
  fill(screen.getByLabelText('New password'), NEW)
  await press(user, 'Change password')
  await expectToast('Password changed.')
  expect(screen.getByLabelText('New password')).toHaveProperty('value', '')
  expect(screen.queryByText(/not known|could not/)).toBeNull()
  expect(calls.filter((one) => one === 'POST /account/password')).toHaveLength(1)
})

test('Account changes the password once, though the first answer was lost and the account cannot be read', async () => {
  const { user, loseAnswer, refuse } = openAccount()
  await waitFor(() => expect(devices()).toHaveLength(1))
  loseAnswer('POST', /^\/account\/password$/)
  const stop = refuse('GET', /^\/account$/, { status: 0 })
  fill(screen.getByLabelText('Current password'), PASSWORD)
  fill(screen.getByLabelText('New password'), NEW)
  await press(user, 'Change password')
  await screen.findByText(/^It is not known whether the password was changed\. Press again with the same passwords\./)
  stop()
  await press(user, 'Change password')
  await expectToast('Password changed. 0 other sessions were ended.')
})

test('Account changes the password again, after a change whose answer was lost has been undone', async () => {
  const { user, loseAnswer } = openAccount()
  await waitFor(() => expect(devices()).toHaveLength(1))
  const change = async (current: string, next: string) => {
    fill(screen.getByLabelText('Current password'), current)
    fill(screen.getByLabelText('New password'), next)
    await press(user, 'Change password')
  }
  loseAnswer('POST', /^\/account\/password$/)
  await change(PASSWORD, NEW)
  await expectToast('Password changed.')
  await change(NEW, PASSWORD)
  await expectToast('Password changed. 0 other sessions were ended.')
  await change(PASSWORD, NEW)
  await expectToast('Password changed. 0 other sessions were ended.')
  const body = { username: host.username, password: NEW }
  expect(await call(server, 'POST', '/auth/host/login', { body })).toMatchObject({ status: 200 })
})

test('Account lists the sessions, and ends one or all others', async () => {
  const others = [
    await openSession(server, host.id),
    await openSession(server, host.id),
    await openSession(server, host.id),
  ]
  const { user, refuse } = openAccount()
  await waitFor(() => expect(devices()).toHaveLength(4))
  expect(devices()[0]?.textContent).toContain('This device')
  refuse('DELETE', /^\/account\/sessions\//, { times: 1, message: 'The disk is full' })
  const [end] = screen.getAllByRole('button', { name: 'End the session of Unknown browser' })
  if (!end) throw new Error('There is no other session')
  end.focus() // a click on a line that has just appeared is ignored
  await user.keyboard('{Enter}')
  await expectToast('The disk is full')
  await user.keyboard('{Enter}')
  await expectToast('Session ended')
  await waitFor(() => expect(devices()).toHaveLength(3))
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Sessions' }))
  await press(user, 'End all others')
  await expectToast('2 sessions ended')
  await waitFor(() => expect(devices()).toHaveLength(1))
  expect(screen.queryByRole('button', { name: 'End all others' })).toBeNull()
  for (const token of others) expect((await call(server, 'GET', '/account', { as: { token } })).status).toBe(401)
})

test('Account is in a master’s menu too, and says what could not be loaded', async () => {
  const master = await buildMaster(server)
  const { user, refuse } = openPage(server, '/master', { ...master, role: 'master' })
  const stop = refuse('GET', /^\/account\/sessions$/, { message: 'The disk is full' })
  await press(user, 'Your account')
  await user.click(await screen.findByRole('menuitem', { name: 'Account' }))
  await screen.findByRole('heading', { level: 1, name: 'Account' })
  await screen.findByText('Failed to load the sessions')
  stop()
  await press(user, 'Try again')
  await waitFor(() => expect(devices()).toHaveLength(1))
})

const factor = () => within(screen.getByRole('region', { name: 'Second factor' }))

test('Account sets an app up with its key and first code, and shows ten recovery codes once', async () => {
  const { user } = openAccount()
  await press(user, 'Set up an app')
  const setUp = await inDialog('Set up an app')
  setUp.getByRole('img', { name: 'QR code for the app' })
  const key = setUp.getByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).textContent?.replaceAll(' ', '') ?? ''
  fill(setUp.getByLabelText('Code from your app'), '000000')
  await press(user, 'Turn on')
  await setUp.findByText('This code is wrong. Enter the one that the app shows now.')
  fill(setUp.getByLabelText('Code from your app'), totpCode(key, Date.now()))
  await press(user, 'Turn on')
  const shown = await inDialog('Recovery codes')
  const codes = shown.getAllByRole('listitem').map(({ textContent }) => textContent ?? '')
  expect(codes).toHaveLength(10)
  await press(user, 'Copy')
  await expectToast('Recovery codes copied to clipboard')
  expect(await navigator.clipboard.readText()).toBe(codes.join('\n'))
  await press(user, 'I have saved them')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(document.body.textContent).not.toContain(codes[0])
  factor().getByText(/^10 codes are left/)

  const login = { username: host.username, password: PASSWORD }
  const first = await call(server, 'POST', '/auth/host/login', { body: login })
  const { challenge } = first.body.second_factor
  const second = { challenge, recovery_code: codes[0] }
  expect((await call(server, 'POST', '/auth/second-factor', { body: second })).status).toBe(200)
})

test('Account says that recovery codes were not shown, when the answer that had them was lost', async () => {
  const { user, loseAnswer } = openAccount()
  await press(user, 'Set up an app')
  const setUp = await inDialog('Set up an app')
  const key = setUp.getByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).textContent?.replaceAll(' ', '') ?? ''
  loseAnswer('POST', /^\/account\/totp\/confirm$/)
  fill(setUp.getByLabelText('Code from your app'), totpCode(key, Date.now()))
  await press(user, 'Turn on')
  await expectToast('The app is set up, but its recovery codes could not be shown. Make new codes now.')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await press(user, 'New codes')
  await press(user, 'Make new codes', await inDialog('Make new recovery codes?'))
  expect((await inDialog('Recovery codes')).getAllByRole('listitem')).toHaveLength(10)
})

test('Account says that a second factor must be added first, and lets the host go on once it is', async () => {
  const master = await buildMaster(server)
  await addTotp(server, master)
  const setRule = (require_second_factor: string) =>
    call(server, 'PUT', '/admin/security', { as: master, body: { require_second_factor } })
  expect((await setRule('masters_and_hosts')).status).toBe(200)
  onTestFinished(async () => void (await setRule('nobody')))
  expect(await call(server, 'GET', '/host/users', { as: host })).toMatchObject({
    status: 403,
    body: { code: 'second_factor_required' },
  })

  const { user, calls } = openAccount()
  await screen.findByText('An administrator requires a second factor. Add one to go on.')
  await waitFor(() => expect(devices()).toHaveLength(1))
  screen.getByLabelText('Current password')
  await press(user, 'Set up an app')
  const setUp = await inDialog('Set up an app')
  const key = setUp.getByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).textContent?.replaceAll(' ', '') ?? ''
  expect(calls).toContain('GET /host/subscription')
  expect(screen.queryByText('Subscription unknown')).toBeNull()
  fill(setUp.getByLabelText('Code from your app'), totpCode(key, Date.now()))
  await press(user, 'Turn on')
  await press(user, 'I have saved them')
  await waitFor(() => expect(screen.queryByText(/^An administrator requires/)).toBeNull())
  await screen.findByText(/^Active · /)
  await user.click(screen.getByRole('link', { name: 'Users Master' }))
  await screen.findByText('No users found')
})

test('Account makes new recovery codes, and removes the app', async () => {
  const { recovery_codes } = await addTotp(server, host)
  const { user, refuse } = openAccount()
  await press(user, 'New codes')
  await press(user, 'Make new codes', await inDialog('Make new recovery codes?'))
  const shown = await inDialog('Recovery codes')
  expect(recovery_codes).not.toContain(shown.getAllByRole('listitem')[0]?.textContent)
  await press(user, 'I have saved them')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  refuse('DELETE', /^\/account\/totp$/, { times: 1, message: 'The disk is full' })
  await press(user, 'Remove the app')
  await press(user, 'Remove app', await inDialog('Remove the app?'))
  await expectToast('The disk is full')
  await press(user, 'Remove the app')
  await press(user, 'Remove app', await inDialog('Remove the app?'))
  await expectToast('App removed')
  await screen.findByRole('button', { name: 'Set up an app' })
  expect(factor().queryByText('Recovery codes')).toBeNull()
})
