import { holdEnter, tile } from './support/online-room.ts'
import { speak, tap, test } from './support/phone-app.ts'
import { expect } from './support/test.ts'

/** Holds each tap as long as a thumb does, so that the second one comes after the first has taken effect. */
const DOUBLE_TAP = { delay: 150 }

test('a double tap is one: it stops the speech in landscape, and raises the hand once', async ({
  page,
  room,
  meeting,
  joinApp,
  openOnline,
}) => {
  await meeting.start()
  const amina = await joinApp(room.personNamed('Amina Yusuf'))
  await amina.page.setViewportSize({ width: 844, height: 390 })
  await openOnline()
  await speak(amina)
  await expect(tile(page, amina)).toHaveAttribute('data-state', 'speaking')
  await tap(amina.page, 'Stop speaking').dblclick(DOUBLE_TAP) // Speak takes its place
  await expect(tile(page, amina)).toHaveAttribute('data-state', 'listening')

  await tap(amina.page, 'Ask to speak').dblclick(DOUBLE_TAP) // Lower your hand takes its place
  await expect(tile(page, amina)).toHaveAttribute('data-state', 'wants-to-speak')
  await expect(tap(amina.page, 'Lower your hand')).toBeVisible()
  await expect(tap(amina.page, 'Speak')).toBeVisible() // the second tap did not open the microphone
})

test('a key that is held down is one press: Stay closes the question, and does not open it again', async ({
  room,
  joinApp,
  meeting,
}) => {
  await meeting.start()
  const { page } = await joinApp(room.personNamed('Amina Yusuf'))
  await tap(page, 'Leave').click()
  await holdEnter(page, tap(page, 'Stay'), tap(page, 'Leave'))
  await expect(page.getByRole('dialog')).toHaveCount(0)
})
