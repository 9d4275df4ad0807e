import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { buildMaster, call } from '../../../test/factories/accounts.ts'
import { addTotp } from '../../../test/factories/second-factor.ts'
import { expectToast, fill, inDialog, openPage, press } from '../../../test/pages/page.tsx'
import { setup } from '../../../test/servers/setup.ts'
import { site } from '../../lib/site.ts'

const EMAIL = 'ana@parley.example'

const server = await setup()
let you: Awaited<ReturnType<typeof buildMaster>>
beforeEach(async () => {
  you = await buildMaster(server)
})
const openMasters = () => openPage(server, '/master/masters', { ...you, role: 'master' })
const listed = async () => (await call(server, 'GET', '/admin/masters', { as: you })).body.data
const inviteByApi = (email: string) =>
  call(server, 'POST', '/admin/masters/invitations', { as: you, body: { email, full_name: null } })
const heading = () => screen.getByRole('heading', { name: 'Masters', level: 1 })
const ruled = async () =>
  (await call(server, 'GET', '/admin/security', { as: you })).body.data.require_second_factor as string

/** Presses Enter, since a click on a line that has just appeared is ignored. */
async function pressLine(user: UserEvent, name: string) {
  ;(await screen.findByRole('button', { name })).focus()
  await user.keyboard('{Enter}')
}

test('a master invites another, with a name, and gets the link once', async () => {
  const { user } = openMasters()
  await press(user, 'Invite master')
  await screen.findByText('Email is required')
  fill(screen.getByLabelText('Email'), you.email)
  await press(user, 'Invite master')
  await screen.findByText('A master has this email already')
  fill(screen.getByLabelText('Email'), EMAIL)
  fill(screen.getByLabelText('Full name (optional)'), 'Ana Lima')
  await press(user, 'Invite master')
  const link = await screen.findByLabelText(`Invitation link for ${EMAIL}`)
  expect(screen.getByLabelText('Email')).toHaveProperty('value', '')
  await press(user, 'Copy link')
  await expectToast('Link copied')
  const url = link.getAttribute('value') ?? ''
  expect(await navigator.clipboard.readText()).toBe(url)
  const body = { token: url.split('/link#')[1], password: 'seven green kettles' }
  const cancel = await screen.findByRole('button', { name: 'Cancel invitation' })
  expect(cancel.closest('li')?.textContent).toContain(`Invited by ${you.email}, until `)
  expect((await call(server, 'POST', '/auth/links/use', { body })).status).toBe(200)
  expect((await listed()).masters).toMatchObject([{}, { email: EMAIL, full_name: 'Ana Lima' }])
})

test('where mail is on, an invitation is sent by email too, unless the master unticks that', async () => {
  site.sends_mail = true
  server.deps.config.SMTP_URL = 'smtp://127.0.0.1:1'
  onTestFinished(() => {
    site.sends_mail = false
    delete server.deps.config.SMTP_URL
  })
  const { user } = openMasters()
  const words = `It is also on its way to ${EMAIL} by email.`
  fill(await screen.findByLabelText('Email'), EMAIL)
  await press(user, 'Invite master')
  await screen.findByText(words)
  const tick = screen.getByLabelText('Send by email')
  const submit = screen.getByRole('button', { name: 'Invite master' })
  expect(tick.compareDocumentPosition(submit)).toBe(Node.DOCUMENT_POSITION_FOLLOWING) // chosen before it is pressed
  await user.click(tick)
  fill(screen.getByLabelText('Email'), EMAIL)
  await press(user, 'Invite master')
  await waitFor(() => expect(screen.queryByText(words)).toBeNull())
  await screen.findByLabelText(`Invitation link for ${EMAIL}`)
})

test('a master cancels an invitation, after a question, and its link is shown no more', async () => {
  const { user, refuse } = openMasters()
  fill(await screen.findByLabelText('Email'), EMAIL)
  await press(user, 'Invite master')
  await screen.findByLabelText(`Invitation link for ${EMAIL}`)
  await pressLine(user, 'Cancel invitation')
  await press(user, 'Keep it', await inDialog(`Cancel the invitation of ${EMAIL}?`))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect((await listed()).invitations).toHaveLength(1)
  refuse('DELETE', /invitations/, { times: 1, message: 'The disk is full' })
  for (const words of ['The disk is full', 'Invitation cancelled']) {
    await pressLine(user, 'Cancel invitation')
    await press(user, 'Cancel invitation', await inDialog(`Cancel the invitation of ${EMAIL}?`))
    await expectToast(words)
  }
  await waitFor(() => expect(screen.queryByLabelText(`Invitation link for ${EMAIL}`)).toBeNull())
  expect(document.activeElement).toBe(heading())
  expect((await listed()).invitations).toEqual([])
})

test('an invitation whose answer was lost is listed, and the next press replaces it', async () => {
  const { user, loseAnswer } = openMasters()
  loseAnswer('POST', /invitations$/)
  fill(await screen.findByLabelText('Email'), EMAIL)
  await press(user, 'Invite master')
  await screen.findByText(/^It is not known whether the invitation was made\. Press again/)
  await screen.findByRole('button', { name: 'Cancel invitation' })
  await press(user, 'Invite master')
  await screen.findByLabelText(`Invitation link for ${EMAIL}`)
  expect(screen.queryByText(/not known/)).toBeNull()
  expect((await listed()).invitations).toHaveLength(1)
})

test('a master removes another, and the last one has no button', async () => {
  const other = await buildMaster(server)
  const { user, refuse } = openMasters()
  refuse('DELETE', /^\/admin\/masters\//, { times: 1, message: 'The disk is full' })
  for (const words of ['The disk is full', `${other.email} removed`]) {
    await pressLine(user, `Remove ${other.email}`)
    await press(user, 'Remove', await inDialog(`Remove ${other.email}?`))
    await expectToast(words)
  }
  await waitFor(() => expect(screen.queryByRole('button', { name: /^Remove / })).toBeNull())
  expect(document.activeElement).toBe(heading())
  screen.getByText(/The last master cannot be removed$/)
  expect((await call(server, 'GET', '/account', { as: other })).status).toBe(401)
})

test('a removal counts as done where the list shows it, though no answer came', async () => {
  const other = await buildMaster(server)
  const { user, loseAnswer } = openMasters()
  loseAnswer('DELETE', /^\/admin\/masters\//, 502)
  await pressLine(user, `Remove ${other.email}`)
  await press(user, 'Remove', await inDialog(`Remove ${other.email}?`))
  await expectToast(`${other.email} removed`)
})

test('what another master removed or cancelled before counts as done', async () => {
  const other = await buildMaster(server)
  const id = (await inviteByApi(EMAIL)).body.data.invitation.id
  const { user, before } = openMasters()
  before('DELETE', /invitations/, async () => {
    await call(server, 'DELETE', `/admin/masters/invitations/${id}`, { as: other })
  })
  await pressLine(user, 'Cancel invitation')
  await press(user, 'Cancel invitation', await inDialog(`Cancel the invitation of ${EMAIL}?`))
  await expectToast('Invitation cancelled')
  before('DELETE', /^\/admin\/masters\//, async () => {
    await call(server, 'DELETE', `/admin/masters/${other.id}`, { as: you })
  })
  await pressLine(user, `Remove ${other.email}`)
  await press(user, 'Remove', await inDialog(`Remove ${other.email}?`))
  await expectToast(`${other.email} removed`)
})

test('of two masters who remove themselves, the second is the last one and stays', async () => {
  const other = await buildMaster(server)
  const { user, before } = openMasters()
  before('DELETE', /^\/admin\/masters\//, async () => {
    await call(server, 'DELETE', `/admin/masters/${other.id}`, { as: other })
  })
  await pressLine(user, `Remove ${you.email}`)
  await press(user, 'Remove', await inDialog('Remove your own account?'))
  await expectToast('This is the last master. Invite another one first.')
  await screen.findByText(/The last master cannot be removed$/)
})

test('a click on a line that has just moved is ignored', async () => {
  const other = await buildMaster(server)
  vi.spyOn(performance, 'now').mockReturnValue(0) // no time passes until the click
  const { user } = openMasters()
  await user.click(await screen.findByRole('button', { name: `Remove ${other.email}` }))
  expect(screen.queryByRole('dialog')).toBeNull()
})

const choose = async (user: UserEvent, choice: string) =>
  user.selectOptions(await screen.findByLabelText('Require a second factor'), choice)

test('a master without a second factor is led to Account, and requires none of others', async () => {
  const { user } = openMasters()
  await choose(user, 'Of masters')
  await press(user, 'Require of masters', await inDialog('Require a second factor of masters?'))
  await screen.findByText(/^Add a second factor to your own account first\./)
  expect(screen.getByLabelText('Require a second factor')).toHaveProperty('value', 'nobody')
  await user.click(screen.getByRole('link', { name: 'Open Account' }))
  await screen.findByRole('heading', { name: 'Account', level: 1 })
  expect(await ruled()).toBe('nobody')
})

test('a master with a second factor requires one of others, and ends that', async () => {
  await addTotp(server, you)
  const { user, loseAnswer, refuse } = openMasters()
  await choose(user, 'Of masters, hosts and assistants')
  await press(user, 'Cancel', await inDialog('Require a second factor of all?'))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(await ruled()).toBe('nobody')
  await choose(user, 'Of masters, hosts and assistants')
  await press(user, 'Require of all', await inDialog('Require a second factor of all?'))
  await expectToast('Masters, hosts and assistants need a second factor now')
  expect(await ruled()).toBe('masters_and_hosts')

  loseAnswer('PUT', /security$/)
  await choose(user, 'Of masters')
  await press(user, 'Require of masters', await inDialog('Require a second factor of masters?'))
  await expectToast('Masters need a second factor now')

  refuse('PUT', /security$/, { times: 1, status: 0 })
  await choose(user, 'Of no account')
  await press(user, 'Require none', await inDialog('Require no second factor?'))
  await expectToast(
    'Failed to change who needs a second factor. There is no connection to Parley. It may still happen; this page shows it then.',
  )
  expect(screen.getByLabelText('Require a second factor')).toHaveProperty('value', 'masters')
  await choose(user, 'Of no account')
  await press(user, 'Require none', await inDialog('Require no second factor?'))
  await expectToast('No second factor is required now')
  await waitFor(() => expect(screen.getByLabelText('Require a second factor')).toHaveProperty('value', 'nobody'))
})

test('what could not be loaded is said, part by part', async () => {
  const { user, refuse } = openMasters()
  const stops = [
    refuse('GET', /^\/admin\/masters$/, { message: 'The disk is full' }),
    refuse('GET', /^\/admin\/security$/, { message: 'The disk is full' }),
  ]
  await screen.findByText('Failed to load the masters')
  await screen.findByText('Failed to load the rule')
  for (const stop of stops) stop()
  await press(user, 'Try again', within(screen.getByRole('region', { name: 'Second factor' })))
  await press(user, 'Try again')
  await screen.findByText(you.email)
  await screen.findByLabelText('Require a second factor')
})

test('a master saves the field report as a file, and is told if it cannot be fetched', async () => {
  const { user, refuse } = openMasters()
  const saved = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:report')
  const clicked = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
  await press(user, 'Save the report')
  await waitFor(() => expect(clicked).toHaveBeenCalledOnce())
  const link = clicked.mock.contexts[0]
  expect(link).toHaveProperty('download', expect.stringMatching(/^parley-server-.*\.txt$/))
  const file = saved.mock.calls[0]?.[0]
  expect(file).toBeInstanceOf(Blob)
  refuse('GET', /field-report/)
  await press(user, 'Save the report')
  await expectToast('The report could not be fetched. Please try again.')
  expect(clicked).toHaveBeenCalledOnce()
})
