import { expectAccessible } from './support/accessibility.ts'
import { pressEnter } from './support/keys.ts'
import { expect, test } from './support/test.ts'

test('the charts of attendance are drawn, and read by keyboard and pointer', async ({
  hostPage: page,
  server,
  addPeople,
  openPhone,
}) => {
  const people = await addPeople(['Amina Yusuf', 'Bela Kovacs'])
  for (const person of people) await openPhone(person)
  await page.goto(`${server.host_url}/host/attendance?show=charts`)
  await expect(page.getByText(/^2 came; most were there at \d\d:\d\d \(2\)\.$/)).toBeVisible()

  const time = page.getByRole('slider', { name: 'Users over time' })
  await expect(time.locator('path')).toHaveCount(2) // the area, and its edge
  await time.focus()
  await page.keyboard.press('Home')
  await expect(time).toHaveAttribute('aria-valuetext', /^\d\d:\d\d: \d present, \d joined, \d left$/)
  await expect(time).toHaveAttribute('aria-valuenow', '0')
  await page.keyboard.press('End')
  await expect(page.getByText(/^\d\d:\d\d: 2 present, \d joined, 0 left$/)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByText(/^\d\d:\d\d: 2 present/)).toHaveCount(0)

  const days = page.getByRole('slider', { name: 'Users per day' })
  await days.focus()
  await page.keyboard.press('End')
  await expect(days).toHaveAttribute('aria-valuetext', /: 2 users$/)
  await page.keyboard.press('ArrowLeft')
  await expect(days).toHaveAttribute('aria-valuetext', /: 0 users$/) // a week before
  await page.keyboard.press('ArrowRight')
  await expect(days).toHaveAttribute('aria-valuetext', /: 2 users$/)
  await days.locator('[data-level="4"]').last().hover()
  await expect(page.getByText(/^\w{3},? \d+ \w+: 2 users$/)).toBeVisible()

  for (const name of ['Users over time', 'Users per day', 'Length of visits'])
    await pressEnter(page.getByRole('button', { name: `Table of ${name}` }))
  await expect(page.getByRole('table', { name: 'Length of visits' })).toBeVisible()
  await expectAccessible(page, 'the charts with their tables')
})
