import { FAILED_CALL } from './support/console-errors.ts'
import { button, pressByKey } from './support/online-room.ts'
import { guest, test } from './support/seat-room.ts'
import { expect } from './support/test.ts'
import { expectToastOn } from './support/toasts.ts'
import { control } from './support/zoom.ts'

const GINA = 660
const LEE = 440
const FAILS_WITHIN_MS = 10_000
const ORDERS = { path: '/sdk/participants/*/orders', method: 'POST' }

for (const [what, fault] of [
  ['dropped on the way', { kind: 'drop', times: 3 }], // the browser sends it again on another connection
  ['refused', { kind: 'status', status: 403 }],
  ['answered by a page', { kind: 'html', status: 502 }],
] as const)
  test(`a mute that is ${what} is not shown as done, and fails in words`, async ({
    page,
    server,
    consoleErrors,
    takeSeat,
    speakInZoom,
    inMeeting,
  }) => {
    consoleErrors.allow(FAILED_CALL)
    await takeSeat()
    await speakInZoom('Gina', GINA)
    await expect(guest(page, 'Gina')).toContainText(/Speaking|Microphone on/)
    await control(server, '/faults', { match: ORDERS, times: 1, ...fault })
    await pressByKey(guest(page, 'Gina'), 'Mute Gina')
    const pressed = Date.now()
    await expectToastOn(page, 'Failed to mute Gina. Zoom did not confirm it in time.')
    expect(Date.now() - pressed).toBeLessThan(FAILS_WITHIN_MS)
    await expect(guest(page, 'Gina')).toContainText(/Speaking|Microphone on/)
    expect(await mutedAtZoom()).toBe(false)

    await fetch(`${server.emulator_origin}/_emulator/faults`, { method: 'DELETE' })
    await pressByKey(guest(page, 'Gina'), 'Mute Gina') // nothing is left of the failure
    await expect(guest(page, 'Gina')).toContainText('Muted')
    expect(await mutedAtZoom()).toBe(true)

    async function mutedAtZoom() {
      return (await inMeeting()).find(({ userName }) => userName === 'Gina')?.muted
    }
  })

test('a mute that is late is shown as done when Zoom has done it, and not before', async ({
  page,
  takeSeat,
  joinZoom,
  speakInZoom,
  inMeeting,
}) => {
  await takeSeat()
  await speakInZoom('Gina', GINA)
  const lee = await joinZoom('Lee', LEE)
  await expect(guest(page, 'Lee')).toContainText('Muted')
  await expect(guest(page, 'Gina')).toContainText(/Speaking|Microphone on/)
  const arrived = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const actions = button(guest(page, 'Gina'), 'Actions for Gina')
  await page.route('**/sdk/participants/*/orders', async (route) => {
    arrived.resolve()
    await released.promise
    await route.continue()
  })
  await pressByKey(guest(page, 'Gina'), 'Mute Gina')
  await arrived.promise
  await button(lee, 'Raise Hand').click() // comes to the console after all that the seat has reported before
  await expect(guest(page, 'Lee')).toContainText('Wants to speak')
  await expect(actions).toHaveAttribute('aria-busy', 'true')
  await expect(guest(page, 'Gina')).not.toContainText('Muted')
  expect((await inMeeting()).find(({ userName }) => userName === 'Gina')?.muted).toBe(false)
  released.resolve()
  await expect(guest(page, 'Gina')).toContainText('Muted')
  await expect(actions).not.toHaveAttribute('aria-busy')
  expect((await inMeeting()).find(({ userName }) => userName === 'Gina')?.muted).toBe(true)
})

test('without the stream of events a command of another console arrives with the answers to the reports', async ({
  page,
  consoleErrors,
  takeSeat,
  openConsole,
  speakInZoom,
}) => {
  consoleErrors.allow(FAILED_CALL)
  await page.addInitScript(keepStreams)
  await takeSeat()
  const gina = await speakInZoom('Gina', GINA)
  const other = await openConsole()
  await expect(guest(other, 'Gina')).toContainText(/Speaking|Microphone on/)
  await page.evaluate('window.cutStreams()')
  await pressByKey(guest(other, 'Gina'), 'Mute Gina')
  const pressed = Date.now()
  await expect(button(gina, 'Unmute')).toBeVisible()
  expect(Date.now() - pressed).toBeLessThan(FAILS_WITHIN_MS)
  await expect(guest(other, 'Gina')).toContainText('Muted')
})

/** Lets a test end the streams of a page's events, of which the page notices nothing. */
function keepStreams() {
  const Opened = window.EventSource
  const streams: EventSource[] = []
  window.EventSource = class extends Opened {
    constructor(url: string | URL) {
      super(url)
      streams.push(this)
    }
  }
  Object.assign(window, {
    cutStreams: () => {
      for (const stream of streams) stream.close()
    },
  })
}
