import { startAcceptingSmtp } from '../servers/accepting-smtp.ts'
import { MASTER } from '../servers/server-process.ts'
import { FAILED_CALL } from './support/console-errors.ts'
import { download } from './support/downloads.ts'
import { pressEnter } from './support/keys.ts'
import { test as base, expect } from './support/test.ts'
import { expectToastOn } from './support/toasts.ts'

const test = base.extend<object, { smtp: Awaited<ReturnType<typeof startAcceptingSmtp>> }>({
  smtp: [
    async ({ browserName: _ }, use) => {
      const smtp = await startAcceptingSmtp()
      await use(smtp)
      await smtp.stop()
    },
    { scope: 'worker' },
  ],
  serverEnv: [({ smtp }, use) => use({ SMTP_URL: smtp.url }), { scope: 'worker' }],
})

test('a host saves all data of a user, then erases it by typing its name', async ({
  hostPage: page,
  server,
  addPeople,
  consoleErrors,
}) => {
  consoleErrors.allow(FAILED_CALL)
  const [amina] = await addPeople(['Amina Yusuf'])
  await page.goto(`${server.host_url}/host/users?user=${amina?.id}`)
  const panel = page.getByRole('dialog', { name: 'Amina Yusuf' })
  const { name, content } = await download(page, () => pressEnter(panel.getByRole('button', { name: 'Export data' })))
  expect(name).toBe(`person-${amina?.id}.json`)
  expect(JSON.parse(String(content))).toMatchObject({ user: { username: 'Amina Yusuf' }, stays: [] })

  await pressEnter(panel.getByRole('button', { name: 'Erase' }))
  const dialog = page.getByRole('dialog', { name: 'Erase this user?' })
  await expect(dialog.getByLabel('Username')).toBeFocused()
  await page.keyboard.type('Amina')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('Type the username as it is above')).toBeVisible()
  await page.keyboard.type(' yusuf')
  await page.keyboard.press('Enter')
  await expectToastOn(page, 'The user was erased')
  await expect(page.getByText('There is no such user')).toBeVisible()
})

test('a master sends a test mail from the page System, and sees the answer of the mail server', async ({
  masterPage: page,
  server,
  smtp,
}) => {
  await page.goto(`${server.master_url}/master/system`)
  await pressEnter(page.getByRole('button', { name: 'Send test mail' }))
  await expectToastOn(page, /^The mail server took the mail: 250 OK/)
  expect(smtp.mailed).toEqual([MASTER.email])
})
