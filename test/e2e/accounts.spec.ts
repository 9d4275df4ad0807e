import type { Page, Request, Response } from '@playwright/test'
import type { SimulatedPhone } from '../../simulator/phone.ts'
import { signInPhone } from '../../simulator/sign-in.ts'
import { MASTER, type ServerProcess } from '../servers/server-process.ts'
import { FAILED_CALL } from './support/console-errors.ts'
import { download } from './support/downloads.ts'
import { logInHost, logInMaster } from './support/hosts.ts'
import { pressEnter } from './support/keys.ts'
import { startNodes } from './support/nodes.ts'
import { button, choose, live, pressByKey, tile } from './support/online-room.ts'
import { addAuthenticator, addPasskey, setUpApp } from './support/second-factor.ts'
import { expect, test } from './support/test.ts'
import { expectToastOn } from './support/toasts.ts'
import { openZoomWindow } from './support/zoom-window.ts'

const SECOND = { email: 'zoya@parley.example', password: 'seven green kettles' }
const ANA = { username: 'ana', email: 'ana@studycircle.example', password: 'nine blue teapots' }
const BEN = { username: 'ben', email: 'ben@example.com', password: 'four red saucers' }
const NEW_PASSWORD = 'eleven brown spoons'
const USERS = ['amina', 'bola']

test('masters, hosts and an assistant keep their accounts, and a meeting goes on, over two servers', async ({
  newContext,
  consoleErrors,
}) => {
  consoleErrors.allow(FAILED_CALL)
  const { a, b, hostSiteOfB, stop } = await startNodes()
  const phones: SimulatedPhone[] = []
  const { step } = test
  const openTab = async () => (await newContext()).newPage()
  const openPhone = async ({ port }: ServerProcess, username: string) => {
    const password = `${username}-password`
    const phone = await signInPhone({ baseUrl: `http://127.0.0.1:${port}`, hostId: 'H000001', username, password })
    phones.push(phone)
    await phone.openStream()
    return phone
  }

  try {
    const [first, second, ana, ben, deputy] = [
      await openTab(),
      await openTab(),
      await openTab(),
      await openTab(),
      await openTab(),
    ]

    const invitation = await step('the first master adds a passkey, and invites a second', async () => {
      await addAuthenticator(first)
      await first.goto(a.master_url)
      await logInMaster(first)
      await openAccount(first)
      await addPasskey(first, 'Laptop')
      await follow(first, 'Masters')
      await first.getByLabel('Email').fill(SECOND.email)
      const made = granted(first, '/admin/masters/invitations')
      await pressEnter(button(first, 'Invite master'))
      const { url } = (await made).data
      await expect(first.getByLabel(`Invitation link for ${SECOND.email}`)).toHaveValue(url)
      return url
    })

    const token = await step('the second sets a password with the link, and signs in', async () => {
      await setPassword(second, invitation, SECOND)
      const answered = granted(second, '/auth/master-login')
      await logInMaster(second, SECOND)
      await expect(second.getByRole('heading', { name: 'Host Management' })).toBeVisible()
      return (await answered).token
    })

    await step('the first requires a second factor of all, so that the second adds one', async () => {
      await first.getByLabel('Require a second factor').selectOption('Of masters, hosts and assistants')
      await pressByKey(first.getByRole('dialog'), 'Require of all')
      await expectToastOn(first, 'Masters, hosts and assistants need a second factor now')
      await follow(second, 'Masters')
      await expect(second.getByText('An administrator requires a second factor.', { exact: false })).toBeVisible()
      await setUpApp(second)
    })

    await step('the second removes the first, who is signed out', async () => {
      await follow(second, 'Masters')
      await pressByKey(second, `Remove ${MASTER.email}`)
      await pressByKey(second.getByRole('dialog'), 'Remove')
      await expectToastOn(second, `${MASTER.email} removed`)
      await follow(first, 'Host Management')
      await expect(first.getByText('You were signed out because this account has been removed.')).toBeVisible()
      await expect(first).toHaveURL(`${a.master_url}/master-login`)
    })

    await step('the second adds two hosts, one of them with Zoom', async () => {
      await addHost(second, ANA, 'Ana Lima')
      await addHost(second, BEN)
    })

    const codes = await step('each host adds an app on the first sign-in', async () => {
      const codes = []
      for (const [page, host] of [
        [ana, ANA],
        [ben, BEN],
      ] as const) {
        await page.goto(a.host_url)
        await logInHost(page, host)
        codes.push(...(await setUpApp(page)))
        await pressEnter(button(page, 'Log out'))
        await expect(page).toHaveURL(`${a.host_url}/login`)
      }
      return codes
    })

    await step('Ana has lost the phone, and signs in with a recovery code', async () => {
      await logInHost(ana, ANA)
      await pressEnter(button(ana, 'Use a recovery code'))
      await ana.getByLabel('Recovery code').fill(codes[0]?.toLowerCase() ?? '')
      await pressEnter(ana.getByLabel('Recovery code'))
      await expect(ana.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
    })

    const reset = await step('a master confirms a link that removes the second factor of Ben', async () => {
      const later = await openTab()
      await later.goto(`${a.master_url}/master/hosts?auth_token=${token}`) // a session that was never confirmed
      await pressEnter(button(later, `Sign in as ${SECOND.email}`))
      await pressByKey(later, `View ${BEN.username}`)
      const details = later.getByRole('dialog', { name: 'Host Details' })
      await details.getByLabel('Also remove the second factor').check()
      await pressEnter(button(details, 'Make reset link'))
      const confirm = later.getByRole('dialog', { name: "Confirm it's you" })
      await confirm.getByLabel('Password', { exact: true }).fill(SECOND.password)
      const made = granted(later, '/reset-link')
      await pressEnter(button(confirm, 'Confirm'))
      const { url } = (await made).data
      await expect(details.getByLabel('Reset link')).toHaveValue(url)
      const { name, content } = await download(later, () => pressEnter(button(details, 'Export data')))
      expect([name, String(content)]).toEqual([
        expect.stringMatching(/^host-[\w-]{36}\.json$/),
        expect.stringContaining(BEN.email),
      ])
      return url
    })

    await step('Ben has lost the phone and the codes, and signs in by the link', async () => {
      await setPassword(ben, reset, { email: BEN.username, password: NEW_PASSWORD })
      await logInHost(ben, { ...BEN, password: NEW_PASSWORD })
      await setUpApp(ben) // one is required, and the former one is gone
    })

    const invited = await step('Ana adds two users, and invites a moderator', async () => {
      await follow(ana, 'Users Master')
      for (const username of USERS) {
        await pressEnter(button(ana, 'Add User').first())
        const form = ana.getByRole('dialog', { name: 'Add User' })
        await form.getByLabel('Username').fill(username)
        await form.getByLabel(/^Password/).fill(`${username}-password`)
        await pressEnter(button(form, 'Add User'))
        await expect(form).toHaveCount(0)
      }
      await follow(ana, 'Assistants')
      await pressEnter(button(ana, 'Add assistant'))
      const dialog = ana.getByRole('dialog', { name: 'Add assistant' })
      await dialog.getByLabel('Name').fill('Deputy')
      const made = granted(ana, '/host/assistants')
      await pressEnter(button(dialog, 'Add assistant'))
      const { url } = (await made).data
      await expect(dialog.getByText(url)).toBeVisible()
      await pressEnter(button(dialog, 'Done'))
      return url
    })

    const [amina, bola] = await step('the meeting runs, with a phone at each server', async () => {
      await follow(ana, 'Online')
      const opened = ana.context().waitForEvent('page')
      await pressByKey(ana, 'Start meeting')
      await expect((await opened).getByText('The meeting is running')).toBeVisible()
      return [await openPhone(a, 'amina'), await openPhone(b, 'bola')] as const
    })
    const lost: string[] = []
    for (const phone of phones) phone.on('stream', (state) => state === 'lost' && lost.push(state))

    await step('the moderator signs in at the other server, and moderates', async () => {
      const login = `Deputy@${ANA.username}`
      await setPassword(deputy, invited, { email: login, password: NEW_PASSWORD })
      await deputy.goto(`${hostSiteOfB}/login`)
      await logInHost(deputy, { username: login, password: NEW_PASSWORD })
      await setUpApp(deputy)
      await follow(deputy, 'Online')
      await expect(live(deputy)).toBeVisible()
      await choose(deputy, amina.user, 'Mute')
      await expect.poll(() => amina.state.is_muted).toBe(true)
      expect(bola.state.is_muted).toBe(false)
      await pressByKey(deputy, 'Mute All')
      for (const phone of phones) await expect.poll(() => phone.state.host_mute_all_active).toBe(true)
      await expect(ana.getByText('Moderating now')).toBeVisible()
      await expect(ana.getByText('Mute All was pressed by Deputy')).toBeVisible()
    })

    await step('Ana removes the moderator, whose stream ends within a second', async () => {
      await follow(ana, 'Assistants')
      let endedAt: number | null = null
      const onEnd = (request: Request) => {
        if (request.url().includes('/mobile/events/')) endedAt ??= Date.now()
      }
      deputy.on('requestfinished', onEnd).on('requestfailed', onEnd)
      await pressByKey(ana, 'Remove')
      const answered = ana.waitForResponse((response) => response.request().method() === 'DELETE')
      await pressByKey(ana.getByRole('dialog', { name: 'Remove Deputy?' }), 'Remove')
      expect((await answered).status()).toBe(200)
      const removedAt = Date.now()
      const msUntilEnd = () => (endedAt === null ? null : endedAt - removedAt)
      await expect.poll(msUntilEnd).toBeLessThan(1_000)
      test.info().annotations.push({ type: 'milliseconds until the stream ended', description: `${msUntilEnd()}` })
      await expect(deputy.getByText('You were signed out because this account has been removed.')).toBeVisible()
    })

    await step('the meeting goes on', async () => {
      await follow(ana, 'Online')
      await expect(live(ana)).toBeVisible()
      await expect(button(ana, 'End meeting')).toBeVisible()
      for (const { user } of phones) {
        await expect(tile(ana, user)).toBeVisible()
        await pressByKey(ana, `Unmute ${user.username}`)
      }
      for (const phone of phones) await expect.poll(() => phone.state.is_muted).toBe(false)
      expect(lost).toEqual([])
    })
  } finally {
    for (const phone of phones) phone.close()
    await stop()
  }
})

async function openAccount(page: Page): Promise<void> {
  await pressEnter(button(page, 'Your account'))
  await pressEnter(page.getByRole('menuitem', { name: 'Account' }))
  await expect(page.getByRole('heading', { level: 1, name: 'Account' })).toBeVisible()
}

async function follow(page: Page, name: string): Promise<void> {
  await page
    .getByRole('navigation')
    .getByRole('link', { name: new RegExp(`^${name}`) })
    .click()
}

/** Opens a link, sets the password, and is on the sign-in page then. */
async function setPassword(page: Page, link: string, { email, password }: { email: string; password: string }) {
  await page.goto(link)
  await expect(page.getByLabel('Account')).toHaveValue(email)
  await page.getByLabel('New password').fill(password)
  await pressEnter(button(page, 'Set password'))
  await expect(page).toHaveURL(/login$/)
}

async function addHost(page: Page, host: typeof ANA, zoomAccount?: string): Promise<void> {
  await follow(page, 'Host Management')
  await pressEnter(button(page, 'Add New Host').first())
  const dialog = page.getByRole('dialog', { name: 'Add New Host Account' })
  await dialog.getByLabel('Email').fill(host.email)
  await dialog.getByLabel('Username').fill(host.username)
  await dialog.getByLabel(/^Password/).fill(host.password)
  if (zoomAccount) {
    const popup = await openZoomWindow(page)
    await popup.getByRole('radio', { name: zoomAccount }).check()
    const closed = popup.waitForEvent('close')
    await popup.getByRole('button', { name: 'Allow' }).click({ noWaitAfter: true })
    await closed
    await expect(dialog.getByText(/Zoom connected!/)).toBeVisible()
  }
  await pressEnter(button(dialog, 'Add Host'))
  await expect(dialog).toHaveCount(0)
}

/** Returns the answer to the next call of this path that is not refused. */
async function granted(page: Page, path: string) {
  const isGranted = (answer: Response) => answer.request().method() === 'POST' && answer.url().endsWith(path)
  const answer = await page.waitForResponse((each) => isGranted(each) && each.ok())
  return answer.json()
}
