import { chromium } from '@playwright/test'
import { chromiumOptions } from './support/chromium.ts'
import { FAILED_CALL } from './support/console-errors.ts'
import { joinSound, meetingFrame, signInToPhoneApp, speak, tap, test, zoom } from './support/phone-app.ts'
import { LOUD_DBFS, levelPlayed } from './support/sound.ts'
import { expect } from './support/test.ts'

test.beforeEach(({ meeting }) => meeting.start())

test('with the microphone refused a person hears everything, and reads why they cannot speak', async ({
  server,
  host,
  room,
  joinApp,
}) => {
  const args = [...chromiumOptions.args, '--use-fake-device-for-media-stream']
  // Chromium denies permission if there is nobody to prompt.
  const refusing = await chromium.launch({ ...chromiumOptions, args })
  const ben = { ...room.personNamed('Ben Carter'), page: await refusing.newPage() }
  await signInToPhoneApp(ben.page, server, host, ben)
  await tap(ben.page, 'Join').click()
  await zoom(ben.page).getByRole('button', { name: 'Join Audio' }).click()
  await expect(ben.page.getByText('You are listening only', { exact: true }).first()).toBeVisible()
  await expect(ben.page.getByRole('button', { name: /^Speak/ })).toBeDisabled()

  const amina = await joinApp(room.personNamed('Amina Yusuf'))
  await speak(amina)
  await expect.poll(() => levelPlayed(meetingFrame(ben.page))).toBeGreaterThan(LOUD_DBFS)
  await tap(ben.page, 'How to allow the microphone').click()
  await expect(ben.page.getByText(/^iPhone: /).first()).toBeVisible()
  await refusing.close()
})

test('where the browser refuses to play, one button mends it', async ({ room, newPhone, openApp }) => {
  const phone = await newPhone()
  await phone.addInitScript(() => {
    const { play } = HTMLMediaElement.prototype
    let isRefused = window !== window.top
    HTMLMediaElement.prototype.play = function () {
      if (!isRefused) return play.call(this)
      isRefused = false
      return Promise.reject(new DOMException('A tap is needed', 'NotAllowedError'))
    }
  })
  const amina = await openApp(room.personNamed('Amina Yusuf'), phone)
  await tap(amina.page, 'Join').click()
  await zoom(amina.page).getByRole('button', { name: 'Join Audio' }).click()
  await expect(zoom(amina.page).getByText('Please press again')).toBeVisible()
  await expect(amina.page.getByText('Tap Join Audio below to hear the room.')).toBeVisible()
  await zoom(amina.page).getByRole('button', { name: 'Join Audio' }).click()
  await expect(amina.page.getByText('Your microphone is off', { exact: true }).first()).toBeVisible()
})

test('without the meeting program the room goes on, and the sound is tried again', async ({
  room,
  newPhone,
  openApp,
  consoleErrors,
}) => {
  consoleErrors.allow(FAILED_CALL)
  const phone = await newPhone()
  await phone.route('**/zoom-meeting-*.min.js', (route) => route.abort())
  const amina = await openApp(room.personNamed('Amina Yusuf'), phone)
  await tap(amina.page, 'Join').click()
  await expect(amina.page.getByText('Zoom’s program could not be loaded.').first()).toBeVisible()
  await tap(amina.page, 'Ask to speak').click()
  await expect(amina.page.getByText('You are next').first()).toBeVisible()
  await phone.unroute('**/zoom-meeting-*.min.js')
  await tap(amina.page, 'Try again').click()
  await zoom(amina.page).getByRole('button', { name: 'Join Audio' }).click()
  await expect(amina.page.getByText('Your microphone is off', { exact: true }).first()).toBeVisible()
})

test('an old version says so and is never reloaded in a meeting', async ({ room, newPhone, openApp }) => {
  const phone = await newPhone()
  const amina = await openApp(room.personNamed('Amina Yusuf'), phone)
  await joinSound(amina)
  await amina.page.evaluate(() => Object.assign(window, { isSame: true }))
  const body = (await amina.page.evaluate(() => fetch('/').then((answer) => answer.text()))).replace(
    /\/assets\/phone-[^"]+\.js/g,
    '/assets/phone-newer.js',
  )
  await phone.route(
    (url) => url.hostname.startsWith('phone.') && url.pathname === '/',
    (route) =>
      route.request().isNavigationRequest() ? route.continue() : route.fulfill({ contentType: 'text/html', body }),
  )
  await amina.page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await expect(amina.page.getByText('A new version is ready; it loads when you leave.')).toBeVisible()
  expect(await amina.page.evaluate(() => 'isSame' in window)).toBe(true)
  await expect(tap(amina.page, 'Speak')).toBeEnabled()
  await tap(amina.page, 'Leave').click()
  const reloaded = amina.page.waitForEvent('load')
  await amina.page.getByRole('dialog').getByRole('button', { name: 'Leave', exact: true }).click()
  await reloaded
})
