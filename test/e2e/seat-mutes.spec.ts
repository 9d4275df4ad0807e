import { addAssistantSession } from './support/hosts.ts'
import { button, live, pressByKey } from './support/online-room.ts'
import { speak } from './support/phone-app.ts'
import { dock, guest, isSeat, openRoomStream, recordOrders, test, zoomPanel } from './support/seat-room.ts'
import { expect } from './support/test.ts'
import { ToneRecorder } from './support/tones.ts'

const PHONE = 440 // of every phone's microphone
const [GINA, GUS, GUY, LATE] = [660, 880, 1100, 1320]
const EAR = 330 // of the listener, whose microphone stays closed
const PROMISED_MS = 2_000
const SILENCE_MS = 1_000

test('Mute All silences everybody within two seconds by one call of Zoom’s, and who comes later', {
  tag: '@realtime',
}, async ({ page, takeSeat, joinZoom, speakInZoom, joinApp, room }) => {
  await takeSeat()
  const ear = await joinZoom('Ear', EAR)
  const amina = await joinApp(room.personNamed('Amina Yusuf'))
  await speak(amina)
  for (const [name, tone] of [
    ['Gina', GINA],
    ['Gus', GUS],
    ['Guy', GUY],
  ] as const)
    await speakInZoom(name, tone)
  const tones = await ToneRecorder.start(ear, [PHONE, GINA, GUS, GUY, LATE])
  await tones.hears(PHONE, GINA, GUS, GUY)
  for (const name of ['Gina', 'Gus', 'Guy']) await expect(guest(page, name)).toContainText(/Speaking|Microphone on/)
  const orders = recordOrders(page)

  await button(page, 'Mute All').click()
  const pressed = Date.now()
  expect(await tones.heard(pressed + PROMISED_MS, pressed + PROMISED_MS + SILENCE_MS, PHONE, GINA, GUS, GUY)).toEqual(
    [],
  )
  expect(orders).toEqual(['muteAll'])
  for (const name of ['Gina', 'Gus', 'Guy']) await expect(guest(page, name)).toContainText('Muted')

  const arrived = Date.now()
  await joinZoom('Late', LATE)
  await joinApp(room.personNamed('Ben Carter'))
  await expect(guest(page, 'Late')).toContainText('Muted')
  expect(await tones.heard(arrived, Date.now() + SILENCE_MS, PHONE, LATE)).toEqual([])
  expect(orders).toEqual(['muteAll'])
})

test('whoever unmutes under Mute All is muted again each time, until Zoom’s own switch forbids it', {
  tag: '@realtime',
}, async ({ page, takeSeat, joinZoom, speakInZoom, joinApp, room }) => {
  await takeSeat()
  const ear = await joinZoom('Ear', EAR)
  await joinApp(room.personNamed('Amina Yusuf'))
  const gina = await speakInZoom('Gina', GINA)
  const tones = await ToneRecorder.start(ear, [GINA])
  await tones.hears(GINA)
  await button(page, 'Mute All').click()
  await expect(button(gina, 'Unmute')).toBeVisible()

  const guarded = page.getByText(/unmuted in Zoom under Mute All/)
  const unruly = page.getByText('Gina has unmuted five times within a minute')
  for (let time = 1; time <= 6; time++) {
    if (time === 5) await expect(unruly).toHaveCount(0)
    await button(gina, 'Unmute').click()
    const opened = Date.now()
    await expect(guarded).toHaveText('Gina unmuted in Zoom under Mute All, and was muted again.')
    expect(await tones.heard(opened + PROMISED_MS, opened + PROMISED_MS + SILENCE_MS, GINA)).toEqual([])
    await expect(button(gina, 'Unmute')).toBeVisible()
  }
  await expect(unruly).toBeVisible()
  await expect(button(page, 'Remove')).toBeVisible()

  await pressByKey(dock(page), 'Make the seat large')
  const panel = zoomPanel(page)
  await panel.getByText(/^Participants \(/).click()
  await panel.getByRole('button', { name: 'Mute All', exact: true }).click()
  await panel.getByLabel('Allow participants to unmute themselves').uncheck()
  const ordered = page.waitForResponse('**/sdk/participants/*/orders')
  await panel.getByRole('button', { name: 'Yes' }).click()
  await ordered
  await pressByKey(dock(page), 'Make the seat small')
  const refused = Date.now()
  await button(gina, 'Unmute').click()
  await expect(gina.getByText('The host is not allowing participants to unmute themselves')).toBeVisible()
  expect(await tones.heard(refused, refused + PROMISED_MS, GINA)).toEqual([])
  await expect(button(gina, 'Unmute')).toBeVisible()
})

test('a guest who is asked is not heard before unmuting, and then may speak under Mute All', {
  tag: '@realtime',
}, async ({ page, takeSeat, joinZoom, speakInZoom, joinApp, room }) => {
  await takeSeat()
  const ear = await joinZoom('Ear', EAR)
  await joinApp(room.personNamed('Amina Yusuf'))
  const gina = await speakInZoom('Gina', GINA)
  const tones = await ToneRecorder.start(ear, [GINA])
  await tones.hears(GINA)
  await button(page, 'Mute All').click()
  await expect(guest(page, 'Gina')).toContainText('Muted')

  await pressByKey(guest(page, 'Gina'), 'Ask Gina to unmute')
  const question = gina.getByRole('alertdialog')
  await expect(question).toBeVisible()
  expect(await tones.heard(Date.now(), Date.now() + SILENCE_MS, GINA)).toEqual([])
  await button(question, 'Unmute').click()
  await tones.hears(GINA)
  await expect(guest(page, 'Gina')).toContainText('May speak')
  const since = Date.now()
  await ear.waitForFunction((end) => Date.now() > end, since + PROMISED_MS) // in which the guard would have muted
  await tones.hears(GINA)
  await expect(button(gina, 'Mute')).toBeVisible()

  await button(page, 'Mute All').click() // takes the leave back
  await expect(button(gina, 'Unmute')).toBeVisible()
  await expect(guest(page, 'Gina')).not.toContainText('May speak')
})

test('a moderator’s console mutes one guest through the seat of another, and no other guest', {
  tag: '@realtime',
}, async ({ server, host, takeSeat, newContext, joinZoom, speakInZoom, openOnline }) => {
  await takeSeat()
  const moderator = await addAssistantSession(server, host, 'moderator')
  const other = await openOnline(await (await newContext()).newPage(), moderator)
  const ear = await joinZoom('Ear', EAR)
  await speakInZoom('Gina', GINA)
  await speakInZoom('Gus', GUS)
  const tones = await ToneRecorder.start(ear, [GINA, GUS])
  await tones.hears(GINA, GUS)
  const stream = await openRoomStream(server, host, moderator)
  await expect(guest(other, 'Gina')).toContainText(/Speaking|Microphone on/)
  await expect(live(other)).toBeVisible()

  await pressByKey(guest(other, 'Gina'), 'Mute Gina')
  const pressed = Date.now()
  const settled = await stream.next('command-settled')
  expect(settled.data).toMatchObject({ outcome: 'done', by: 'seat' })
  expect(await tones.heard(pressed + PROMISED_MS, pressed + PROMISED_MS + SILENCE_MS, GINA)).toEqual([])
  await tones.hears(GUS)
  await expect(guest(other, 'Gina')).toContainText('Muted')
  await expect(guest(other, 'Gus')).toContainText('Speaking')
  await expect(button(other, 'Take the seat over')).toHaveCount(0) // only the host’s own account has the seat
  stream.close()
})

test('another console takes over: never two seats in the meeting, a short gap, and the guard goes on', {
  tag: '@realtime',
}, async ({ page, consoleErrors, takeSeat, openConsole, joinZoom, speakInZoom, joinApp, room, inMeeting }) => {
  consoleErrors.allow(/status of 409/) // a last report of the former seat
  await takeSeat()
  const ear = await joinZoom('Ear', EAR)
  await joinApp(room.personNamed('Amina Yusuf'))
  const gina = await speakInZoom('Gina', GINA)
  const tones = await ToneRecorder.start(ear, [GINA])
  await tones.hears(GINA)
  await button(page, 'Mute All').click()
  await expect(button(gina, 'Unmute')).toBeVisible()
  const other = await openConsole()
  await expect(guest(other, 'Gina')).toContainText('Muted')

  const seats: { at: number; count: number }[] = []
  let isWatching = true
  const watch = (async () => {
    while (isWatching) seats.push({ count: (await inMeeting()).filter(isSeat).length, at: Date.now() })
  })()
  await button(other, 'Take the seat over').click()
  const pressed = Date.now()
  await expect(dock(page).getByText('Another console has taken over the host’s seat')).toBeVisible()
  await expect(dock(other).getByText('You have the host’s seat')).toBeVisible()
  isWatching = false
  await watch
  expect(Math.max(...seats.map(({ count }) => count))).toBe(1)
  const empty = seats.filter(({ count }) => count === 0)
  expect(empty.length).toBeGreaterThan(0) // the former one left before
  expect((empty.at(-1)?.at ?? 0) - pressed).toBeLessThan(8_000)

  await expect(guest(other, 'Gina')).toContainText('Muted')
  await button(gina, 'Unmute').click()
  const opened = Date.now()
  expect(await tones.heard(opened + PROMISED_MS, opened + PROMISED_MS + SILENCE_MS, GINA)).toEqual([])
  await expect(button(gina, 'Unmute')).toBeVisible()
})
