import { FAILED_CALL } from './support/console-errors.ts'
import { keepSession, logInHost } from './support/hosts.ts'
import { recordRequests, requestsTo } from './support/requests.ts'
import { expect, test } from './support/test.ts'
import { expectToast } from './support/toasts.ts'

test('Host Master shows a master every host, and acts on its room', async ({
  masterPage: page,
  host,
  server,
  consoleErrors,
}) => {
  const name = host.username
  const dialog = (title: string) => page.getByRole('dialog', { name: title })
  const search = page.getByRole('searchbox', { name: 'Search hosts' })

  await page.goto(`${server.master_url}/host/host-master`)
  await expect(page.getByRole('navigation', { name: 'Master Panel' })).toBeVisible()
  await search.fill(name)
  const row = page.getByRole('table', { name: 'All hosts' }).getByRole('row', { name })
  await expect(row.getByRole('button', { name: `A: Activate the room of ${name}` })).toBeDisabled()
  await row.getByRole('button', { name: `S: Stop the room of ${name}` }).click()
  await dialog(`Stop the room of ${name}?`).getByRole('button', { name: 'Stop room' }).click()
  await expectToast(page, `The room of "${name}" is stopped. Its phones cannot sign in until it is activated.`)
  await expect(row.getByText('Stopped')).toBeVisible()
  await row.getByRole('button', { name: `A: Activate the room of ${name}` }).click()
  await expectToast(page, `The room of "${name}" is active`)
  await row.getByRole('button', { name: `C: Change the phone of ${name}` }).click()
  await dialog(`Change the phone of ${name}?`).getByRole('button', { name: 'Change phone' }).click()
  await expectToast(page, `The room of "${name}" can be entered by its host from a new phone`)

  consoleErrors.allow(FAILED_CALL)
  await page.route('**/api/admin/hosts/*/profile/*', (route) => route.abort())
  await row.getByRole('button', { name: `S: Stop the room of ${name}` }).click()
  await dialog(`Stop the room of ${name}?`).getByRole('button', { name: 'Stop room' }).click()
  await expectToast(page, 'Failed to stop user')
  await search.fill('no such host')
  await expect(page.getByText('No host data available')).toBeVisible()
})

for (const site of ['master', 'host'] as const) {
  test(`a master who opens a host's page on the ${site} site is redirected to Host Management without an error`, async ({
    page,
    server,
    master,
  }) => {
    const origin = server[`${site}_url`]
    await keepSession(page, origin, master)
    const requests = recordRequests(page)
    for (const path of ['', 'dashboard', 'users', 'online', 'rooms', 'recordings', 'app-info', 'attendance']) {
      await page.goto(`${origin}/host/${path}`)
      await expect(page.getByRole('heading', { name: 'Host Management' })).toBeVisible()
      await expect(page).toHaveURL(`${origin}/master/hosts`)
    }
    expect(requestsTo(requests, '/api/host')).toEqual([])
  })
}

test('Host Master shows a host only its own row, and asks a visitor to log in', async ({ page, host, server }) => {
  const address = `${server.host_url}/host/host-master`
  const button = (name: string) => page.getByRole('button', { name })
  const confirm = (name: string) => page.getByRole('dialog').getByRole('button', { name }).click()

  await page.goto(address)
  await expect(page.getByRole('heading', { name: 'Authentication Required' })).toBeVisible()
  await expect(page.getByText('Please log in to access this page.')).toBeVisible()
  await page.waitForURL('**/login')
  await logInHost(page, host)
  await page.waitForURL('**/host/host-master') // where the visitor wanted to go
  await expect(page.getByText(host.email)).toBeVisible()

  await page.goto(`${address}?modal=add-host&oauth_status=success&oauth_result_id=r1&user_email=a@b.co`)
  await expect(page.getByText(host.email)).toBeVisible()
  await page.waitForURL(address)
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await expect(button('A · Activate room')).toBeDisabled()
  await button('S · Stop room').click()
  await confirm('Stop room')
  await button('A · Activate room').click()
  await expectToast(page, 'The room is active')
  await button('C · Change phone').click()
  await confirm('Change phone')
  await expectToast(page, 'Device binding cleared. You can now login from a new phone.')
})
