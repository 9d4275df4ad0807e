import type { Locator, Page } from '@playwright/test'
import { DESKTOP, expectAccessible, PHONE, setAppearance } from './support/accessibility.ts'
import { FAILED_CALL } from './support/console-errors.ts'
import { test } from './support/full-room.ts'
import type { TestHost } from './support/hosts.ts'
import { pressEnter } from './support/keys.ts'
import { expect } from './support/test.ts'
import { control } from './support/zoom.ts'

/** A page has loaded once its heading and some of its fetched content are visible. */
interface HostPage {
  path: string
  heading: string
  shows: (page: Page, host: TestHost) => ReturnType<Page['locator']>
}

const HOST_PAGES: HostPage[] = [
  {
    path: '/host/dashboard',
    heading: 'Dashboard',
    shows: (page) => page.getByRole('link', { name: 'See who attended' }),
  },
  { path: '/host/users', heading: 'Users Master', shows: (page) => page.getByRole('row', { name: /Mei-Ling Chen/ }) },
  {
    path: '/host/recordings',
    heading: 'Cloud Recordings',
    shows: (page) => page.getByRole('button', { name: /^Play / }).last(),
  },
  {
    path: '/host/online',
    heading: 'Online Users',
    shows: (page) => page.locator('[data-user-id]').getByText('Speaking').first(),
  },
  { path: '/host/rooms', heading: 'Rooms Master', shows: (page) => page.getByText(/^Audio only/) },
  { path: '/host/host-master', heading: 'Host Master', shows: (page, { email }) => page.getByText(email).first() },
  { path: '/host/app-info', heading: 'App Info.', shows: (page) => page.getByRole('textbox', { name: 'Message' }) },
  {
    path: '/host/attendance',
    heading: 'Attendance',
    shows: (page) => page.getByRole('row', { name: /Amina Yusuf/ }),
  },
  {
    path: '/host/attendance?show=charts',
    heading: 'Attendance',
    shows: (page) => page.getByRole('slider', { name: 'Users over time' }).locator('svg'),
  },
  { path: '/host/meetings', heading: 'Meetings', shows: (page) => page.getByText('No meetings yet') },
  { path: '/host/log', heading: 'Log', shows: (page) => page.getByText(/^Phone of .* signed in$/).first() },
  { path: '/host/account', heading: 'Account', shows: (page) => page.getByText('This device') },
  { path: '/host/assistants', heading: 'Assistants', shows: (page) => page.getByText('No assistants yet') },
  { path: '/host/downloads', heading: 'Downloads', shows: (page) => page.getByText('Downloads are coming soon') },
]

/** The upper edges align, or with `x` the left ones, allowing for a border. */
async function expectInLine(one: Locator, other: Locator, edge: 'x' | 'y' = 'y'): Promise<void> {
  const at = async (part: Locator) => (await part.boundingBox())?.[edge] ?? Number.NaN
  await expect.poll(async () => Math.abs((await at(one)) - (await at(other)))).toBeLessThan(1.5)
}

/** Shows another page of the console in the same document. A load for each, with axe in it, takes more processor time. */
async function turnTo(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    window.history.pushState(null, '', to)
    window.dispatchEvent(new PopStateEvent('popstate'))
  }, path)
}

test('the public pages are accessible and fit', async ({ page, server }) => {
  for (const path of ['/', '/documentation', '/support', '/terms', '/policy']) {
    await page.goto(server.public_url + path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expectAccessible(page, path)
  }
})

test('the login pages and those that Zoom returns to are accessible and fit', async ({ page, server }) => {
  await page.goto(`${server.host_url}/login`)
  await page.getByLabel('Username').fill('somebody')
  await expectAccessible(page, 'host login')
  await page.goto(`${server.master_url}/master-login`)
  await page.getByLabel('Email').fill('somebody@example.com')
  await expectAccessible(page, 'master login')
  for (const path of ['/oauth-success', '/oauth-error']) {
    await page.goto(server.public_url + path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expectAccessible(page, path)
  }
})

test("the host's pages are accessible and fit", async ({ hostPage: page, server, host }) => {
  await page.goto(`${server.host_url}/host`)
  for (const { path, heading, shows } of HOST_PAGES) {
    await turnTo(page, path)
    await expect(page.getByRole('heading', { name: heading, level: 1 })).toBeVisible()
    await expect(shows(page, host)).toBeVisible()
    await expectAccessible(page, path)
  }

  await turnTo(page, '/host/online')
  await control(server, `/meetings/${host.rooms[0]?.zoom_meeting_id}/start`)
  const meeting = page.getByRole('button', { name: /^Recording/ })
  await expect(meeting).toBeVisible()
  for (const density of ['Compact', 'List']) {
    await page.locator('label').filter({ hasText: density }).click()
    await expectAccessible(page, `${density} of the Online page`)
  }
  const groups = page.getByRole('combobox', { name: 'Group' })
  await groups.click()
  await page.getByRole('option').first().click()
  await expect(page.getByRole('button', { name: 'Mute group', exact: true })).toBeVisible()
  await expectAccessible(page, 'a group of the Online page')

  await turnTo(page, '/host/online?view=wall')
  await expect(page.getByRole('region', { name: 'Speaking' }).getByText('Amina Yusuf')).toBeVisible()
  await expectAccessible(page, 'the wall view')

  await turnTo(page, '/host/meetings')
  await expect(page.getByText('Running')).toBeVisible()
  await expectAccessible(page, 'the list of meetings')
  await page.getByRole('link', { name: /^Now, since/ }).click()
  await expect(page.getByRole('table', { name: 'Who came' })).toBeVisible()
  await page.getByRole('button', { name: 'Add a note' }).click()
  await expectAccessible(page, 'the report of a meeting')

  await turnTo(page, '/host/online')
  await meeting.click()
  await expect(page.getByRole('button', { name: 'End meeting' })).toBeVisible()
  await expectAccessible(page, 'the meeting of the Online page', [DESKTOP])
  await page.keyboard.press('Escape')
  await setAppearance(page, PHONE)
  for (const [opener, shown] of [
    [/counts and meeting$/, 'Currently Online'],
    [/^Raised hands/, 'waiting'],
    [/^1 more speaker$/, /^\d:\d\d$/],
  ] as const) {
    await page.getByRole('button', { name: opener }).click()
    await expect(page.getByRole('dialog').getByText(shown).first()).toBeVisible()
    await expectAccessible(page, `${opener} of the Online page`, [PHONE])
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
})

test('an assistant and its link, and the question for a confirmation, are accessible and fit', async ({
  hostPage: page,
  server,
  consoleErrors,
}) => {
  consoleErrors.allow(FAILED_CALL)
  await page.goto(`${server.host_url}/host/assistants`)
  await pressEnter(page.getByRole('button', { name: 'Add assistant' }))
  const form = page.getByRole('dialog', { name: 'Add assistant' })
  await form.getByLabel('Name').fill('مريم بنت عبدالله')
  await expectAccessible(page, 'add assistant')
  await pressEnter(form.getByLabel('Name'))
  await expect(form.getByRole('button', { name: 'Copy invitation link' })).toBeVisible()
  await expectAccessible(page, 'the link of an assistant')
  await pressEnter(form.getByRole('button', { name: 'Done' }))
  await expect(form).toHaveCount(0)
  await expectAccessible(page, 'an assistant')

  const confirm = { methods: ['password', 'passkey'] }
  await page.route('**/invite-link', (route) =>
    route.fulfill({
      status: 403,
      json: { success: false, code: 'confirm_needed', message: 'Confirm it first', confirm },
    }),
  )
  await pressEnter(page.getByRole('button', { name: 'New link' }))
  await expect(
    page.getByRole('dialog', { name: "Confirm it's you" }).getByLabel('Password', { exact: true }),
  ).toBeFocused()
  await expectAccessible(page, 'the question for a confirmation')
})

test('what stands side by side is in line', async ({ hostPage: page, server }) => {
  await page.goto(`${server.host_url}/host/dashboard`)
  const main = page.getByRole('main')
  await expectInLine(main.getByText('Total Users'), main.getByText('Total Rooms'))
  await page.goto(`${server.host_url}/host/users`)
  await page.getByRole('button', { name: 'Import' }).first().click()
  const button = (name: string) => page.getByRole('dialog').getByRole('button', { name })
  await expectInLine(button('Cancel'), button('Check the list'))
  for (const name of ['Log', 'Attendance']) {
    await page.goto(`${server.host_url}/host/${name.toLowerCase()}`)
    await expectInLine(main.getByRole('button', { name: 'Today' }), main.getByRole('heading', { name, level: 1 }), 'x')
  }
  await page.goto(`${server.host_url}/host/recordings`)
  await main
    .getByRole('button', { name: /^Play / })
    .nth(1)
    .click()
  const title = page.getByRole('region', { name: /^Player: / }).getByText('Evening Study Circle: Questions and answers')
  await expect.poll(async () => (await title.boundingBox())?.height).toBeLessThan(25) // one line
})

test("a master's pages and dialogs are accessible and fit, and a button changes their colours", async ({
  masterPage: page,
  server,
  host: { username },
}) => {
  const closeDialog = async () => {
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
  await page.goto(`${server.master_url}/master/hosts`)
  await page.getByRole('searchbox', { name: 'Search hosts' }).fill(username)
  await expect(page.getByRole('row', { name: username })).toHaveCount(1)
  await expectAccessible(page, 'host management')

  await page.getByRole('button', { name: 'Add New Host' }).click()
  const form = page.getByRole('dialog', { name: 'Add New Host Account' })
  await expectInLine(form.getByRole('textbox', { name: 'Password' }), form.getByRole('button', { name: 'Generate' }))
  await expectAccessible(page, 'add host')
  await closeDialog()

  const field = (name: string) => page.getByRole('dialog').getByRole('textbox', { name })
  for (const [act, dialog, settles] of [
    [`View ${username}`, 'Host Details', 'Created, 12 months'],
    [`Edit ${username}`, 'Edit Host', 'Disconnect'],
    [`Manage subscription of ${username}`, 'Manage Subscription', 'Cancel subscription'],
  ] as const) {
    await page.getByRole('button', { name: act, exact: true }).click()
    await expect(page.getByRole('dialog', { name: dialog }).getByText(settles, { exact: true })).toBeVisible()
    await expectAccessible(page, dialog)
    if (dialog === 'Edit Host') await expectInLine(field('New Password'), field('Mobile'))
    await closeDialog()
  }

  await page.getByRole('checkbox', { name: `Select ${username}` }).check()
  await expectAccessible(page, 'a selected host')
  await page.getByRole('button', { name: 'Extend subscriptions' }).click()
  await expect(page.getByRole('dialog', { name: 'Extend 1 subscription' })).toBeVisible()
  await expectAccessible(page, 'bulk extension')
  await closeDialog()

  await page.goto(`${server.master_url}/master/home`)
  await expect(page.getByRole('slider', { name: 'Users online' }).locator('svg')).toBeVisible()
  await page.getByRole('button', { name: 'Table of Rooms live now' }).click()
  await expect(page.getByRole('table', { name: 'Rooms live now' })).toBeVisible()
  await expectAccessible(page, 'home')

  await page.getByRole('link', { name: 'See the log' }).click()
  await page.getByRole('searchbox', { name: 'Search the log' }).fill(username)
  await expect(page.getByRole('row', { name: /Host created/ })).toHaveCount(1)
  await expectAccessible(page, 'the log of all hosts')

  await page.goto(`${server.master_url}/master/renewals?days=366`)
  await expect(page.getByRole('row', { name: username })).toBeVisible()
  await expect(page.getByRole('table', { name: 'Sold by month' })).toBeVisible()
  await expectAccessible(page, 'renewals')

  await page.goto(`${server.master_url}/master/system`)
  await expect(page.getByText('Data folder')).toBeVisible()
  await expectAccessible(page, 'system')

  await page.goto(`${server.master_url}/master/masters`)
  await expect(page.getByLabel('Require a second factor')).toBeVisible()
  await page.getByLabel('Email').fill(`${username}@parley.example`)
  const made = page.waitForResponse('**/api/admin/masters/invitations')
  await page.getByRole('button', { name: 'Invite master' }).click()
  await expect(page.getByRole('button', { name: 'Copy link' })).toBeVisible()
  await expectAccessible(page, 'masters')

  await page.goto((await (await made).json()).data.url)
  await expect(page.getByRole('button', { name: 'Set password' })).toBeVisible()
  await expectAccessible(page, 'a link that sets a password')
  await page.goto(`${server.master_url}/link`)
  await expect(page.getByRole('heading', { name: 'This link is not valid any more' })).toBeVisible()
  await expectAccessible(page, 'a link that is not valid')

  await page.goto(`${server.master_url}/master/hosts`)
  await page.getByRole('link', { name: 'Host Master' }).click()
  await expect(page.getByRole('heading', { name: 'Host Master', level: 1 })).toBeVisible() // the page before has a search too
  await page.getByRole('searchbox', { name: 'Search hosts' }).fill(username)
  await expect(page.getByRole('table', { name: 'All hosts' }).getByRole('row', { name: username })).toHaveCount(1)
  await expectAccessible(page, "a master's Host Master")

  await page.getByRole('button', { name: 'Use dark colours' }).click()
  await expect(page.getByRole('button', { name: 'Use light colours' })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
})
