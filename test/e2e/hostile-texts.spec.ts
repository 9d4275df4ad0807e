import type { Page } from '@playwright/test'
import { http, type ServerProcess, signInMaster } from '../server-process.ts'
import type { ConsoleErrors } from './support/console-errors.ts'
import type { TestHost } from './support/hosts.ts'
import { expect, test } from './support/test.ts'

const ATTACK = '"><img src=x onerror=alert(1)>'
const USERNAME = `${ATTACK}!`

test('texts from masters, hosts and phones are shown as plain text on every host screen', async ({
  hostPage: page,
  server,
  host,
  addPeople,
  openPhone,
  consoleErrors,
}) => {
  refuseDialogs(page, consoleErrors)
  await nameHostily(server, host)
  const texts = { user_title: ATTACK, helpline: ATTACK, message: ATTACK }
  await put(server, '/host/app-info', host.token, texts)
  const [person] = await addPeople([USERNAME], () => ({ user_id: `U1${ATTACK}`.slice(0, 32), reference: ATTACK }))
  if (!person) throw new Error('No user was added')
  await (await openPhone(person)).speak()

  for (const [path, text] of Object.entries({
    '/host/dashboard': ATTACK,
    '/host/users': USERNAME,
    '/host/online': USERNAME,
    '/host/rooms': ATTACK,
    '/host/host-master': ATTACK,
    '/host/attendance': USERNAME,
    '/host/recordings': 'No recordings found for your room.',
  })) {
    await page.goto(server.host_url + path)
    await expect(page.getByText(text).first()).toBeVisible()
    await expectNoPicture(page)
  }
  await page.goto(`${server.host_url}/host/app-info`)
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue(ATTACK)
  await expectNoPicture(page)
})

test("a host's texts are shown to a master as plain text", async ({
  masterPage: page,
  server,
  host,
  consoleErrors,
}) => {
  refuseDialogs(page, consoleErrors)
  await nameHostily(server, host)
  await page.goto(`${server.master_url}/master/hosts`)
  await page.getByRole('searchbox', { name: 'Search hosts' }).fill(host.username)
  await page.getByRole('button', { name: `View ${host.username}`, exact: true }).click()
  await expect(page.getByRole('dialog', { name: 'Host Details' }).getByText(ATTACK)).toBeVisible()
  await expectNoPicture(page)
})

test('texts from the address are shown as plain text', async ({ page, server, consoleErrors }) => {
  refuseDialogs(page, consoleErrors)
  const attack = encodeURIComponent(ATTACK)
  await page.goto(`${server.public_url}/oauth-error?error=x&error_description=${attack}`)
  await expect(page.getByRole('heading', { name: 'Zoom Integration Failed' })).toBeVisible()
  await expectNoPicture(page)
  await page.goto(`${server.public_url}/oauth-success?oauth_result=x&user_email=${attack}`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expectNoPicture(page)
})

function refuseDialogs(page: Page, consoleErrors: ConsoleErrors): void {
  page.on('dialog', (dialog) => {
    consoleErrors.add(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
}

async function expectNoPicture(page: Page): Promise<void> {
  await expect(page.locator('img[src="x"]')).toHaveCount(0)
}

async function nameHostily(server: ServerProcess, { id }: TestHost): Promise<void> {
  const edit = { room_name: ATTACK, mobile: ATTACK.slice(0, 20) }
  await put(server, `/admin/hosts/${id}`, await signInMaster(server), edit)
}

async function put(server: ServerProcess, path: string, token: string, body: object): Promise<void> {
  expect(await http(server, 'PUT', path, { token, body })).toMatchObject({ status: 200 })
}
