import { joinAudio, tap, test } from './support/phone-app.ts'
import { expect } from './support/test.ts'

test('a word of the host comes to the phone, is answered and read there, and is counted on the console', async ({
  page,
  room,
  meeting,
  joinApp,
  openOnline,
}) => {
  await meeting.start()
  const { page: phone } = await joinApp(room.personNamed('Amina Yusuf'))
  await openOnline()
  const words = page.getByRole('list', { name: 'Words on phones' })
  await page.getByRole('button', { name: 'Send a word' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Can you hear me?' }).click()
  await page.keyboard.press('Enter')
  await expect(phone.getByText('Can you hear me?')).toBeVisible()
  await expect(words).toContainText('Read by 0 of 1')
  await tap(phone, 'I hear badly').press('Enter')
  await expect(words).toContainText('Read by 1 of 1 · hear well 0, badly 1')
  await tap(phone, 'I hear well').press('Enter')
  await expect(words).toContainText('Read by 1 of 1 · hear well 1, badly 0')
  await phone.reload()
  await expect(tap(phone, 'I hear well')).toHaveAttribute('aria-pressed', 'true')
  await tap(phone, 'Close').press('Enter')
  await expect(phone.getByText('Can you hear me?')).toBeHidden()
  await phone.reload()
  await joinAudio(phone)
  await expect(phone.getByText('Can you hear me?')).toBeHidden()
})
