import { button, test, tile } from './support/online-room.ts'
import { expect } from './support/test.ts'

test('Mute All counts the phones that acknowledged, are pending, or went offline', async ({ room, openOnline }) => {
  await room.join('Amina Yusuf')
  await room.join('Ben Carter')
  const chen = await room.join('Chen Wei')
  const page = await openOnline()
  chen.phone.drop() // it is offline
  await button(page, 'Mute All').click()
  await expect(page.getByText('Muted 2 of 3, waiting for 1 phone')).toBeVisible()
  await room.act(chen, 'logout')
  await expect(page.getByText('Muted 2 of 3, 1 not reached')).toBeVisible()
  await expect(page.getByText('Mute All is on')).toBeVisible()
  await page.setViewportSize({ width: 390, height: 844 }) // too narrow for the sentence
  await expect(button(page, 'Mute All')).toHaveText('onMute All')
})

test('Mute All does not wait for a phone that is not answering', async ({ room, openOnline }) => {
  await room.join('Amina Yusuf')
  const ben = await room.join('Ben Carter')
  const page = await openOnline()
  await room.sleep(ben)
  await expect(tile(page, ben)).toContainText('Not answering')
  await button(page, 'Mute All').click()
  await expect(page.getByText('Muted 1 of 2, 1 not answering')).toBeVisible()
  await ben.phone.reconnect()
  await expect(page.getByText('All 2 phones acknowledged')).toBeVisible()
})
