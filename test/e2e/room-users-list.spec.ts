import type { Locator } from '@playwright/test'
import { listedUser } from '../factories/listed.ts'
import { expectAccessible } from './support/accessibility.ts'
import { downloadCsv } from './support/downloads.ts'
import { expect, test } from './support/test.ts'
import { openUsersMaster } from './support/users-master.ts'

test('a narrow page shows users as cards, and what is shown is saved as a file', async ({
  hostPage: page,
  server,
  addPeople,
}) => {
  await addPeople(['amina', 'dora', 'Oluwaseun Adeyemi'], (name) => ({ reference: `Row of ${name}` }))
  const { button, row } = await openUsersMaster(page, server)
  await page.setViewportSize({ width: 1440, height: 900 }) // wide enough for all columns
  const name = page.getByRole('link', { name: 'Oluwaseun Adeyemi' }).locator('bdi')
  await expect.poll(() => name.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
  await page.setViewportSize({ width: 1100, height: 900 }) // cards beside the sidebar
  const card = page.getByRole('main').locator('tr').filter({ hasText: 'amina' })
  await expect(card.getByRole('checkbox', { name: 'Select amina' })).toBeVisible()
  await expect(card.getByText('Active', { exact: true }).filter({ visible: true })).toBeVisible()
  await page.setViewportSize({ width: 1440, height: 900 })

  await page.getByLabel('Filter users').fill('row of dora')
  await expect(row('amina')).toHaveCount(0)
  const { name: fileName, lines } = await downloadCsv(page, () => button('Export').click())
  expect(fileName).toBe('users.csv')
  expect(lines).toEqual([expect.stringMatching(/^user_id,/), expect.stringMatching(/^U000002,dora,Row of dora,/)])
})

test('sign-in cards are alone on paper, eight to a sheet', async ({ hostPage: page, server, addPeople }) => {
  await addPeople(Array.from({ length: 17 }, (_, index) => `person ${index}`))
  const { bulk } = await openUsersMaster(page, server)
  await page.getByRole('checkbox', { name: 'Select all users' }).check()
  await bulk('Sign-in cards').click()
  const cards = page.getByRole('list', { name: 'Sign-in cards' })
  await expect(cards.getByRole('heading')).toHaveCount(17)
  const end = async (part: Locator) => ((box) => box && Math.round(box.x + box.width))(await part.boundingBox())
  const atEnd = page.getByRole('dialog').getByRole('button', { name: 'Print' })
  await expect.poll(async () => (await end(atEnd)) === (await end(cards))).toBe(true)
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(cards.getByText('person 16', { exact: true })).toBeVisible()
  const sheets = (await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g)
  expect(sheets).toHaveLength(3)
})

test('renders only the visible rows of 5,000 users, and the filter finds the last', async ({
  hostPage: page,
  server,
}) => {
  const many = Array.from({ length: 5000 }, (_, index) => listedUser(`p${index}`, { username: `person ${index}` }))
  let polls = 0
  await page.route('**/api/host/users', async (route) => {
    const changed = many[polls++ % 5000]
    if (changed) changed.is_speaking = !changed.is_speaking // each poll returns a change
    await route.fulfill({ json: { success: true, data: { users: many, next_user_id: 'U005001' } } })
  })
  const { button, row, rows, bulk, dialog } = await openUsersMaster(page, server)
  await expect(button('Total 5,000')).toBeVisible()
  await expect(page.getByRole('table', { name: 'Users' })).toHaveAttribute('aria-rowcount', '5001')
  await expect(row('person 0')).toBeVisible()
  await expect.poll(() => rows.count()).toBeLessThan(60)

  const scrollToEnd = () => page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
  await expect(async () => {
    await scrollToEnd()
    expect(await row('person 4999').count()).toBe(1)
  }).toPass()
  await expect.poll(() => rows.count()).toBeLessThan(60)
  // The table's head stays below the page's header, and the bulk actions stay in reach.
  await expect(page.getByRole('columnheader', { name: 'Username' })).toBeInViewport({ ratio: 1 })
  await page.getByRole('checkbox', { name: 'Select person 4999' }).filter({ visible: true }).check()
  await expect(page.getByRole('region', { name: 'Bulk actions' })).toBeInViewport({ ratio: 1 })
  await button('Clear selection').click()
  await page.getByRole('checkbox', { name: 'Select all users' }).check()
  await expect(button('Export 5,000')).toBeVisible()
  await bulk('Delete').click()
  await expect(dialog.getByRole('heading', { name: 'Delete 5,000 users?' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await button('Clear selection').click()
  await page.getByRole('columnheader').getByRole('button', { name: 'User ID' }).press('Enter')
  await expect(page.getByRole('columnheader', { name: 'User ID' })).toHaveAttribute('aria-sort', 'ascending')

  const before = polls
  await page.getByLabel('Filter users').fill('person 4321')
  await expect(row('person 4321')).toBeVisible()
  await expect.poll(() => polls).toBeGreaterThan(before)

  await page.getByLabel('Filter users').fill('person 43')
  await expect(page.getByText('111 of 5,000')).toBeVisible()
  await expect.poll(() => rows.count()).toBeLessThan(60)
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')))
  await expect.poll(() => rows.count()).toBe(112) // paper does not scroll
})

test('the panel of a user, a selection and sign-in cards are accessible and fit', async ({
  hostPage: page,
  server,
  addPeople,
}) => {
  await addPeople(['Mei-Ling Chen', 'محمد عبد الرحمن الخطيب'])
  await page.goto(`${server.host_url}/host/users`)
  await page.getByRole('link', { name: 'Mei-Ling Chen' }).click()
  await expect(page.getByRole('dialog').getByText('This user has not been online yet.')).toBeVisible()
  await expectAccessible(page, 'the panel of a user')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.getByRole('checkbox', { name: 'Select Mei-Ling Chen' }).filter({ visible: true }).check()
  await expectAccessible(page, 'a selected user')
  await page.getByRole('button', { name: 'Actions', exact: true }).filter({ visible: true }).click()
  await page.getByRole('menuitem', { name: 'Sign-in cards' }).click()
  await expect(page.getByRole('dialog').getByText('Password', { exact: true })).toBeVisible()
  await expectAccessible(page, 'sign-in cards')
})
