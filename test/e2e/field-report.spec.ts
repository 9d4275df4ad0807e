import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { FAILED_CALL } from './support/console-errors.ts'
import { tile } from './support/online-room.ts'
import { speak, tap, test } from './support/phone-app.ts'
import { expect } from './support/test.ts'

async function savedReport(page: Page): Promise<string> {
  const download = page.waitForEvent('download')
  await tap(page, 'Save the report').press('Enter') // a click on what has just appeared is ignored
  const file = await download
  expect(file.suggestedFilename()).toMatch(/^parley-phone-.*\.txt$/)
  return readFile(await file.path(), 'utf8')
}

test('a phone saves what it saw of a meeting: times, events and their order, and nobody by name', async ({
  page,
  room,
  host,
  meeting,
  joinApp,
  openOnline,
}) => {
  await meeting.start()
  const amina = await joinApp(room.personNamed('Amina Yusuf'))
  await openOnline()
  await speak(amina)
  await expect(tile(page, amina)).toHaveAttribute('data-state', 'speaking') // Zoom has named the speaker
  await room.act(amina, 'mute')
  await expect(tile(page, amina)).toHaveAttribute('data-state', 'muted')
  await expect(tile(page, amina)).not.toHaveAttribute('data-pending')
  await tap(amina.page, 'I cannot hear').click()

  let text = ''
  await expect(async () => {
    text = await savedReport(amina.page)
    expect(text).toMatch(/^command to silence: \d+/m) // known when Zoom has shown it
  }).toPass({ intervals: [1_000] }) // the app ignores a second press within half a second
  expect(text).toContain('Zoom: onActiveSpeaker')
  expect(text).toMatch(/^join to sound: \d+$/m)
  expect(text).toMatch(/^tap on Speak to an open microphone: \d+$/m)
  expect(text).not.toContain('in an unknown form')
  const order = [
    'ticket as guest',
    'audio: joining to ready',
    'audio: ready to on',
    'microphone: off to on',
    'Parley: user-mute-status is_muted true',
    'microphone: on to off',
  ]
  expect(order.map((line) => text.indexOf(line)).toSorted((one, other) => one - other)).toEqual(
    order.map((line) => text.indexOf(line)),
  )
  expect(text).toContain('microphone: on to off')
  for (const secret of ['Amina', amina.user_id, host.user_id]) expect(text).not.toContain(secret)
})

test('the report of a phone that Zoom refuses has the code', async ({
  room,
  meeting,
  newPhone,
  openApp,
  consoleErrors,
}) => {
  consoleErrors.allow(FAILED_CALL)
  await meeting.start()
  const phone = await newPhone()
  await phone.addInitScript(() => {
    const { fetch } = window
    window.fetch = async (input, init) => {
      const answer = await fetch(input, init)
      if (!String(input).endsWith('/join-ticket')) return answer
      const body = await answer.json()
      return Response.json({ ...body, data: { ...body.data, passcode: 'another-passcode' } })
    }
  })
  const amina = await openApp(room.personNamed('Amina Yusuf'), phone)
  await tap(amina.page, 'Join').click()
  await expect(amina.page.getByText('3004').first()).toBeVisible()
  await tap(amina.page, 'I cannot hear').click()
  const text = await savedReport(amina.page)
  expect(text).toMatch(/zoom_code: none to 3004$/m)
  expect(text).not.toContain('another-passcode')
})

test('the page that tests the microphone saves the report as well', async ({ room, openApp }) => {
  const amina = await openApp(room.personNamed('Amina Yusuf'))
  await tap(amina.page, 'Test my microphone').click()
  expect(await savedReport(amina.page)).toContain('Meeting SDK for Web not loaded yet')
})
