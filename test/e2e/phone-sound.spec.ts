import type { Page } from '@playwright/test'
import { http } from '../servers/server-process.ts'
import { LevelRecorder } from './support/levels.ts'
import { button, pressByKey, queue, tile } from './support/online-room.ts'
import { joinSound, meetingFrame, type PhoneApp, speak, tap, test, zoom } from './support/phone-app.ts'
import { LOUD_DBFS, levelPlayed, SILENT_DBFS } from './support/sound.ts'
import { expect } from './support/test.ts'
import { expectToastOn } from './support/toasts.ts'

const hears = ({ page }: PhoneApp) => expect.poll(() => levelPlayed(meetingFrame(page))).toBeGreaterThan(LOUD_DBFS)
const hearsNothing = ({ page }: PhoneApp) =>
  expect.poll(() => levelPlayed(meetingFrame(page))).toBeLessThan(SILENT_DBFS)

test.beforeEach(({ meeting }) => meeting.start())

test('one person speaks, the others hear it, and only that tile is red', async ({
  page,
  room,
  joinApp,
  openOnline,
}) => {
  const amina = await joinApp(room.personNamed('Amina Yusuf'))
  const ben = await joinApp(room.personNamed('Ben Carter'))
  const chen = await joinApp(room.personNamed('Chen Wei'))
  await openOnline()
  await hearsNothing(ben)
  await speak(amina)
  await hears(ben)
  await hears(chen)
  await expect(tile(page, amina)).toHaveAttribute('data-state', 'speaking')
  await expect(page.locator('[data-user-id][data-state=speaking]')).toHaveCount(1)
  await expect(ben.page.getByText('Amina Yusuf').first()).toBeVisible()

  await tap(amina.page, 'Stop speaking').click()
  await hearsNothing(ben)
  await expect(tile(page, amina)).toHaveAttribute('data-state', 'listening')
})

test('a muted person is silent within a second, then it is acknowledged, and a hand still rises', {
  tag: '@realtime',
}, async ({ page, room, joinApp, openOnline }) => {
  const amina = await joinApp(room.personNamed('Amina Yusuf'))
  const ben = await joinApp(room.personNamed('Ben Carter'))
  await openOnline()
  await speak(amina)
  await hears(ben)
  await expect(tile(page, amina)).toHaveAttribute('data-state', 'speaking')
  const atBen = await LevelRecorder.start(meetingFrame(ben.page))
  const wasMutedAtAck = observeAcknowledgements(amina.page)

  await pressByKey(page, 'Mute Amina Yusuf')
  const muted = Date.now()
  expect(await atBen.loudest(muted + 1000, muted + 3000)).toBeLessThan(SILENT_DBFS)
  await expect(tile(page, amina)).toHaveAttribute('data-state', 'muted')
  await expect(tile(page, amina)).not.toHaveAttribute('data-pending')
  expect(wasMutedAtAck).toEqual([true])
  await expect(amina.page.getByText('The host has muted you', { exact: true }).first()).toBeVisible()

  await tap(amina.page, 'Ask to speak').click()
  await expect(queue(page)).toHaveText([/Amina Yusuf/])
  await expect(amina.page.getByText('You are next').first()).toBeVisible()
})

test('Mute All silences all but the host, and those who come later', { tag: '@realtime' }, async ({
  page,
  server,
  host,
  room,
  joinApp,
  openOnline,
}) => {
  await http(server, 'PUT', '/host/app-info', { token: host.token, body: { password: 'evening-circle-phone' } })
  const leader = await joinApp({
    ...room.personNamed('Ines Duarte'),
    username: host.user_id,
    password: 'evening-circle-phone',
  })
  const amina = await joinApp(room.personNamed('Amina Yusuf'))
  const ben = await joinApp(room.personNamed('Ben Carter'))
  const chen = await joinApp(room.personNamed('Chen Wei'))
  await openOnline()
  for (const one of [amina, ben, chen]) await speak(one)
  await hears(leader)
  const atHost = await LevelRecorder.start(meetingFrame(leader.page))

  await button(page, 'Mute All').click()
  const muted = Date.now()
  expect(await atHost.loudest(muted + 1500, muted + 3500)).toBeLessThan(SILENT_DBFS)
  await expect(page.getByText('All 3 phones acknowledged')).toBeVisible()
  for (const one of [amina, ben, chen])
    await expect(one.page.getByText('The host has muted everyone', { exact: true }).first()).toBeVisible()

  await speak(leader)
  await hears(amina)
  const dina = await joinApp(room.personNamed('Dina Popescu'))
  await expect(dina.page.getByText('The host has muted everyone', { exact: true }).first()).toBeVisible()
  await hears(dina)
})

test("a muted person who opens the microphone by Zoom's own button is silenced, and the console says so", {
  tag: '@realtime',
}, async ({ page, room, joinApp, openOnline }) => {
  const amina = await joinApp(room.personNamed('Amina Yusuf'))
  const ben = await joinApp(room.personNamed('Ben Carter'))
  await openOnline()
  await room.act(amina, 'mute')
  await expect(amina.page.getByText('The host has muted you', { exact: true }).first()).toBeVisible()
  const atBen = await LevelRecorder.start(meetingFrame(ben.page))
  await zoom(amina.page).getByRole('button', { name: 'Unmute' }).click()
  const opened = Date.now()
  expect(await atBen.loudest(opened + 1500, opened + 3500)).toBeLessThan(SILENT_DBFS)
  await expectToastOn(page, 'Amina Yusuf opened the microphone in Zoom while muted. It was closed again.')
  await expect(zoom(amina.page).getByRole('button', { name: 'Unmute' })).toBeVisible()
  await expect(tile(page, amina)).toHaveAttribute('data-state', 'muted')
})

test('who speaks when a call takes the microphone is shown as silent, and is not heard again without a tap', async ({
  page,
  room,
  newPhone,
  openApp,
  openOnline,
}) => {
  const phone = await newPhone()
  await phone.addInitScript(keepMicrophones)
  const amina = await openApp(room.personNamed('Amina Yusuf'), phone)
  await joinSound(amina)
  await openOnline()
  await speak(amina)
  const says = (words: string) => expect(amina.page.getByText(words, { exact: true }).first()).toBeVisible()
  await meetingFrame(amina.page).evaluate('window.silence(true)')
  await says('Your phone has silenced it, perhaps for a call or another app. Nobody hears you.')
  await expect(amina.page.getByText('You can be heard')).toHaveCount(0)
  await expect(tile(page, amina)).toHaveAttribute('data-state', 'listening')
  await expect(zoom(amina.page).getByRole('button', { name: 'Unmute' })).toBeVisible()
  await meetingFrame(amina.page).evaluate('window.silence(false)')
  await says('You hear the room. Nobody hears you.')
  await speak(amina)
})

test('an unmute by the host lets nothing be heard until the person taps Speak', { tag: '@realtime' }, async ({
  page,
  room,
  joinApp,
  openOnline,
}) => {
  const amina = await joinApp(room.personNamed('Amina Yusuf'))
  const ben = await joinApp(room.personNamed('Ben Carter'))
  await openOnline()
  await room.act(amina, 'mute')
  await tap(amina.page, 'Ask to speak').click()
  const atBen = await LevelRecorder.start(meetingFrame(ben.page))
  await pressByKey(page, 'Allow Amina Yusuf')
  const asked = Date.now()
  await expect(amina.page.getByText('The host asks you to speak').first()).toBeVisible()
  await expect(tile(page, amina)).toContainText('Asked to speak')
  expect(await atBen.loudest(asked, asked + 2000)).toBeLessThan(SILENT_DBFS)
  await speak(amina)
  await hears(ben)
  await expect(tile(page, amina)).toHaveAttribute('data-state', 'speaking')
})

/** Records for each acknowledgement whether the microphone was already off in the meeting. */
function observeAcknowledgements(page: Page): boolean[] {
  const observed: boolean[] = []
  void page.route('**/api/mobile/status', async (route) => {
    if (route.request().postData()?.includes('"acks"')) observed.push(await meetingFrame(page).evaluate(isMuted))
    await route.continue()
  })
  return observed
}

/** Reads the state from Zoom's own button. */
const isMuted = () => document.querySelector('[aria-pressed=true]')?.textContent === 'Unmute'

/** Keeps the tracks that a page opens, which `silence` then silences as a phone does for a call. */
function keepMicrophones() {
  const { mediaDevices } = navigator
  if (!mediaDevices) return
  const open = mediaDevices.getUserMedia.bind(mediaDevices)
  const tracks: MediaStreamTrack[] = []
  mediaDevices.getUserMedia = async (wanted) => {
    const stream = await open(wanted)
    tracks.push(...stream.getAudioTracks())
    return stream
  }
  const silence = (muted: boolean) => {
    for (const track of tracks) {
      Object.defineProperty(track, 'muted', { value: muted, configurable: true })
      track.dispatchEvent(new Event(muted ? 'mute' : 'unmute'))
    }
  }
  Object.assign(window, { silence })
}
