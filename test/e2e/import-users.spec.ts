import { storeSession } from './support/hosts.ts'
import { expect, test } from './support/test.ts'
import { openUsersMaster } from './support/users-master.ts'

const NAMES = Array.from({ length: 120 }, (_, index) => `listener ${index + 1}`)

test('an import whose tab is closed is told of on the next visit, and goes on where it stopped', async ({
  hostPage: closed,
  host,
  server,
}) => {
  const first = await openUsersMaster(closed, server)
  await closed.evaluate(() => {
    const send = window.fetch
    let imports = 0
    window.fetch = (input, init) => {
      const isLater = String(input).endsWith('/host/users/import') && ++imports > 1
      return isLater ? new Promise(() => {}) : send(input, init)
    }
  })
  await first.button('Import').click()
  await first.dialog.getByLabel('Users').fill(NAMES.join('\n'))
  await first.button('Check the list').click()
  await first.button('Add 120 users').click()
  await expect(first.dialog.getByText('Added 50 of 120')).toBeVisible()

  const page = await closed.context().newPage()
  await storeSession(page, server.host_url, host)
  const next = await openUsersMaster(page, server)
  const notice = page.getByText('An import stopped after 50 of 120 users')
  await expect(next.row('listener 50')).toBeVisible()
  await expect(notice).toHaveCount(0)
  await next.button('Import').click()
  await next.dialog.getByLabel('Users').fill('another')
  await next.button('Check the list').click()
  await next.button('Add 1 user').click()
  await expect(next.dialog.getByText(/another tab is importing users right now/)).toBeVisible()
  await next.button('Done').click()

  await closed.close()
  await page.reload()
  await expect(notice).toBeVisible()
  await next.button('Continue the import').click()
  await next.dialog.getByLabel('Users').fill(NAMES.join('\n'))
  await next.button('Check the list').click()
  await expect(next.dialog.getByText('70 users are left to add. 50 users are in your room already.')).toBeVisible()
  await next.button('Add 70 users').click()
  await expect(next.dialog.getByText('70 users were added.')).toBeVisible()
  await next.button('Done').click()
  await expect(next.dialog).toHaveCount(0)
  await expect(notice).toHaveCount(0)
  await page.reload()
  await expect(page.getByText('Total')).toBeVisible()
  await expect(notice).toHaveCount(0)
})

test('an import whose button is clicked twice runs once, and its report stays', async ({ hostPage: page, server }) => {
  const { button, dialog } = await openUsersMaster(page, server)
  const calls: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/host/users/import')) calls.push(request.method())
  })
  await button('Import').first().click()
  await dialog.getByLabel('Users').fill(NAMES.slice(0, 40).join('\n'))
  await button('Check the list').click()
  await expect(dialog.getByText('40 users will be added.')).toBeVisible()
  const box = await button('Add 40 users').boundingBox()
  if (!box) throw new Error('The button is not on the page')
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
  await expect(dialog.getByText('40 users were added.')).toBeVisible()
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
  await expect(button('Download sign-in details')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  expect(calls).toEqual(['POST'])
})
