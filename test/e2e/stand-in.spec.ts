import { mkdtempSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import axe from 'axe-core'
import { chromiumOptions } from './support/chromium.ts'
import { FAILED_CALL } from './support/console-errors.ts'
import { LOUD_DBFS, levelPlayed, microphoneArgs, SILENT_DBFS, wavOfBursts } from './support/sound.ts'
import { callSdk, receivedEvents, startStandIn } from './support/stand-in.ts'
import { expect, test } from './support/test.ts'

const WAV = join(mkdtempSync(join(tmpdir(), 'parley-sound-')), 'bursts.wav')

test.use({
  launchOptions: { ...chromiumOptions, args: [...chromiumOptions.args, ...microphoneArgs(WAV)] },
  permissions: ['microphone'],
})

let demo: Awaited<ReturnType<typeof startStandIn>>
test.beforeAll(() => wavOfBursts(WAV))
test.beforeEach(async () => {
  demo = await startStandIn()
})
test.afterEach(({ browser }) => demo.close(browser))

async function joinAudio(tab: Page) {
  await tab.getByRole('button', { name: 'Join Audio' }).click()
  await expect(tab.getByRole('button', { name: 'Mute' })).toBeVisible()
}

async function self(tab: Page) {
  const { result } = await callSdk(tab, 'getCurrentUser')
  return result?.currentUser as { userId: number; muted: boolean; audio: string }
}

/** Returns how the meeting ended for this page, in order. */
async function endOf(tab: Page) {
  const told = await tab.evaluate(() => (window as unknown as { heard: { event: string; data: object }[] }).heard)
  return told.flatMap(({ event, data }) => {
    const { reasonCode, meetingStatus } = data as { reasonCode?: number; meetingStatus?: number }
    if (event === 'onUserLeave') return [`onUserLeave ${reasonCode}`]
    return event === 'onMeetingStatus' && meetingStatus === 3 ? ['onMeetingStatus 3'] : []
  })
}

/** Returns the outcome of the first call, and the return value of the second, which triggers no callback. */
function muteTwice(tab: Page, userId: number) {
  return tab.evaluate(async (id) => {
    type Mute = (args: object) => unknown
    const { mute } = (window as unknown as { ZoomMtg: { mute: Mute } }).ZoomMtg
    const first = await new Promise((resolve) => mute({ userId: id, mute: true, success: () => resolve('answered') }))
    let second: unknown
    const answer = (given: unknown) => {
      second = given
    }
    second = mute({ userId: id, mute: false, success: answer, error: answer })
    await new Promise((resolve) => setTimeout(resolve, 200))
    return [first, second]
  }, userId)
}

const hears = (tab: Page) => expect.poll(() => levelPlayed(tab)).toBeGreaterThan(LOUD_DBFS)
const hearsNothing = (tab: Page) => expect.poll(() => levelPlayed(tab)).toBeLessThan(SILENT_DBFS)

test('one page speaks, another hears it until it mutes; the panel has a button of its own', async ({
  page,
  context,
}) => {
  const other = await context.newPage()
  await demo.enter(page, 'Ana')
  await demo.enter(other, 'Ben')
  expect(await self(page)).toEqual({
    ...{ userId: expect.any(Number), self: true, userName: 'Ana', muted: false, audio: '' },
    ...{ isHost: false, isCoHost: '', isGuest: true, isHold: false, raiseHand: false, customerKey: 'ana' },
    ...{ persistentID: expect.stringMatching(/./), participantUUID: expect.stringMatching(/./) },
    ...{
      video: false,
      sharingStatus: 'stopped',
      isOriginhost: false,
      isAlternativeHost: false,
      isBotUser: false,
      botBrandName: '',
      botAuthorizerName: '',
    },
  })
  await joinAudio(page)
  await joinAudio(other)
  const { userId } = await self(other)
  await callSdk(other, 'mute', { userId, mute: true })

  await hears(other)
  await expect(other.getByText('Speaking: Ana')).toBeVisible()
  await hearsNothing(page)

  const ana = await self(page)
  expect(await callSdk(page, 'mute', { userId: ana.userId, mute: true })).toMatchObject({ status: true, errorCode: 0 })
  await hearsNothing(other)
  await expect
    .poll(() => receivedEvents(other, 'onUserUpdate'))
    .toContainEqual(expect.objectContaining({ userName: 'Ana', muted: true }))

  await page.getByRole('button', { name: 'Unmute' }).click()
  await hears(other)
  await expect
    .poll(() => receivedEvents(page, 'onUserUpdate'))
    .toContainEqual(expect.objectContaining({ self: true, muted: false }))
})

test('the host ends the meeting: nothing is heard any more, and only the panel says why', async ({ page, context }) => {
  const other = await context.newPage()
  await demo.enter(page, 'Ana')
  await demo.enter(other, 'Ben')
  await joinAudio(page)
  await joinAudio(other)
  await hears(other)
  await demo.happens('/end')
  await expect
    .poll(async () => (await receivedEvents(other, 'onMeetingStatus')).at(-1))
    .toMatchObject({ meetingStatus: 3 })
  expect(await receivedEvents(other, 'onUserLeave')).toEqual([])
  await hearsNothing(other)
  await expect(other.getByText('This meeting has been ended by host')).toBeVisible()
})

test('who is removed is told so before the connection ends', async ({ page }) => {
  await demo.enter(page, 'Ana')
  await demo.happens('/participants/leave', { customer_key: 'ana', reason: 'Removed by host' })
  await expect.poll(() => endOf(page)).toEqual(['onUserLeave 6', 'onMeetingStatus 3'])
})

test('its own Leave reports both events at once, and goes to the leave address later', async ({ page }) => {
  await demo.enter(page, 'Ana')
  await joinAudio(page)
  const reported = page.evaluate(
    () =>
      new Promise<string>((resolve) => {
        const { ZoomMtg } = window as unknown as { ZoomMtg: Record<string, (...given: unknown[]) => void> }
        ZoomMtg.inMeetingServiceListener?.('onMeetingStatus', () => resolve(location.pathname))
      }),
  )
  await page.getByRole('button', { name: 'Leave' }).click()
  expect(await reported).toBe('/')
  await expect(page).toHaveURL(/\/left$/)
})

test('Zoom’s limits and refusals: one join in ten seconds, one mute a second, and its own codes', async ({
  page,
  context,
  consoleErrors,
}) => {
  consoleErrors.allow(FAILED_CALL)
  await demo.open(page)
  expect(await callSdk(page, 'getCurrentUser')).toMatchObject({ status: false, errorCode: 3008 })
  expect(await demo.join(page, 'Ana', { passWord: 'wrong' })).toMatchObject({ method: 'join', errorCode: 3004 })
  expect(await demo.join(page, 'Ana')).toMatchObject({ errorCode: 3633 })

  const refusals = [
    [{ signature: 'forged' }, 3712],
    [{ zak: 'one', obfToken: 'two' }, 3636],
    [{ obfToken: 'invented' }, 4014],
  ] as const
  for (const [wrong, errorCode] of refusals) {
    const tab = await context.newPage()
    await demo.open(tab)
    expect(await demo.join(tab, 'Ana', wrong)).toMatchObject({ status: false, errorCode })
    await tab.close()
  }

  await demo.enter(page, 'Ana')
  const { userId } = await self(page)
  expect(await muteTwice(page, userId)).toEqual(['answered', false])
  await expect.poll(() => self(page)).toMatchObject({ muted: true })
})

test('a join is refused in Zoom’s words when the meeting is locked, or its host is elsewhere', async ({
  page,
  consoleErrors,
}) => {
  consoleErrors.allow(FAILED_CALL)
  for (const code of [4006, 4008, 3711]) {
    await demo.zoom.control('/faults', { match: { path: '/sdk/join' }, kind: 'status', status: 400, code })
    await demo.open(page)
    expect(await demo.join(page, 'Ana')).toMatchObject({ status: false, errorCode: code })
  }
  await demo.enterAsHost(page, 'Hana')
  await demo.zoom.control('/options', { host_twice: 'transfer' })
  const other = await page.context().newPage()
  await demo.enterAsHost(other, 'Hanna')
  await expect.poll(() => endOf(page)).toEqual(['onUserLeave 5', 'onMeetingStatus 3'])
})

test('an order that Zoom drops is answered as sent, and does nothing', async ({ page, context, consoleErrors }) => {
  consoleErrors.allow(FAILED_CALL)
  const guest = await context.newPage()
  await demo.enterAsHost(page, 'Hana')
  await demo.enter(guest, 'Ben')
  const { userId } = await self(guest)
  const match = { path: '/sdk/participants/*/orders' }
  await demo.zoom.control('/faults', { match, kind: 'status', status: 500 })
  expect(await callOnce(page, 'mute', { userId, mute: true })).toMatchObject({ answers: [0] })
  const hits = async () => (await demo.zoom.control('/faults')).body.faults[0].hits
  await expect.poll(hits).toBe(1)
  expect(await self(guest)).toMatchObject({ muted: false })
})

test('a mute is answered when it is sent, before anything has changed', async ({ page }) => {
  await demo.enter(page, 'Ana')
  await joinAudio(page)
  const { userId } = await self(page)
  const shown = await page.evaluate(
    (id) =>
      new Promise<boolean>((resolve) => {
        const { ZoomMtg } = window as unknown as { ZoomMtg: Record<string, (given: object) => void> }
        const success = () =>
          ZoomMtg.getCurrentUser?.({
            success: ({ result }: { result: { currentUser: { muted: boolean } } }) => resolve(result.currentUser.muted),
          })
        ZoomMtg.mute?.({ userId: id, mute: true, success })
      }),
    userId,
  )
  expect(shown).toBe(false)
  await expect.poll(() => self(page)).toMatchObject({ muted: true })
})

test('a simulated phone’s speech is heard in a browser, until it ends its request', async ({ page }) => {
  await demo.enter(page, 'Ana')
  await joinAudio(page)
  const joined = await fetch(`${demo.zoom.origin}/sdk/join`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(await demo.ticket('Phone')),
  })
  const { token } = await joined.json()
  const muting = new AbortController()
  void fetch(`${demo.zoom.origin}/sdk/participants/${token}/speech`, {
    method: 'POST',
    headers: { 'content-type': 'audio/ogg' },
    body: await readFile('simulator/speech/answer.ogg'),
    signal: muting.signal,
  }).catch(() => null)
  await hears(page)
  await expect(page.getByText(/Speaking: .*Phone/)).toBeVisible()
  muting.abort()
  await hearsNothing(page)
})

test('without a microphone one listens; a browser that plays nothing gets the button again', async ({ newContext }) => {
  const page = await (await newContext({ permissions: [] })).newPage() // its addresses are then obfuscated names
  await page.addInitScript(() => {
    navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', 'NotAllowedError'))
    const { play } = HTMLMediaElement.prototype
    HTMLMediaElement.prototype.play = () => Promise.reject(new DOMException('', 'NotAllowedError'))
    Object.assign(window, { allowPlaying: () => Object.assign(HTMLMediaElement.prototype, { play }) })
  })
  await demo.enter(page, 'Ana')
  const button = page.getByRole('button', { name: 'Join Audio' })
  await button.click()
  await expect(page.getByText('could not be joined')).toBeVisible()
  await expect(button).toBeEnabled()
  expect(await self(page)).toMatchObject({ audio: '' })

  await page.evaluate('allowPlaying()')
  await joinAudio(page)
  await expect(page.getByText('you can listen')).toBeVisible()
  const { userId, ...state } = await self(page)
  expect(state).toMatchObject({ audio: 'computer', muted: true })
  expect(await callSdk(page, 'mute', { userId, mute: false })).toMatchObject({ status: true }) // sent, but without effect
  await expect(page.getByRole('button', { name: 'Unmute' })).toBeVisible()
  expect(await self(page)).toMatchObject({ muted: true })
})

test('a microphone that is pulled out mutes, and does not leave', async ({ page }) => {
  await page.addInitScript(() => {
    const { getUserMedia } = MediaDevices.prototype
    MediaDevices.prototype.getUserMedia = async function (wanted) {
      const stream = await getUserMedia.call(this, wanted)
      Object.assign(window, { pullOut: () => stream.getAudioTracks()[0]?.dispatchEvent(new Event('ended')) })
      return stream
    }
  })
  await demo.enter(page, 'Ana')
  await joinAudio(page)
  await expect.poll(() => self(page)).toMatchObject({ muted: false })
  await page.evaluate('pullOut()')
  await expect.poll(() => self(page)).toMatchObject({ audio: 'computer', muted: true })
  await expect(page.getByRole('button', { name: 'Unmute' })).toBeVisible()
})

test('a lost network: reconnecting, then back as before; a page that leaves goes to the leave address', async ({
  page,
  context,
  consoleErrors,
}) => {
  consoleErrors.allow(FAILED_CALL)
  await demo.enter(page, 'Ana')
  await joinAudio(page)
  const statuses = async () => (await receivedEvents(page, 'onMeetingStatus')).map(({ meetingStatus }) => meetingStatus)
  await context.setOffline(true)
  await expect.poll(statuses).toEqual([1, 2, 4])
  expect(await callSdk(page, 'mute', { userId: 0, mute: true })).toMatchObject({ errorCode: 4000 })
  await context.setOffline(false)
  await expect.poll(statuses).toEqual([1, 2, 4, 2])
  expect(await self(page)).toMatchObject({ audio: 'computer', muted: false })

  await callSdk(page, 'leaveMeeting')
  await expect(page).toHaveURL(/\/left$/)
  await expect.poll(async () => (await demo.zoom.control('/sound')).body.participants).toEqual([])
})

/** Returns what the call answers at once and what its callbacks get within a while. */
function callOnce(tab: Page, method: string, args: object = {}) {
  return tab.evaluate(
    async ([name, given]) => {
      const { ZoomMtg } = window as unknown as { ZoomMtg: Record<string, (args: object) => unknown> }
      const answers: unknown[] = []
      const answer = ({ errorCode }: { errorCode: number }) => answers.push(errorCode)
      const returned = ZoomMtg[name]?.({ ...given, success: answer, error: answer })
      await new Promise((resolve) => setTimeout(resolve, 200))
      return { returned, answers }
    },
    [method, args] as const,
  )
}

test('a host’s page mutes others by Zoom’s rules, and a guest’s page cannot', async ({ page, context }) => {
  const guest = await context.newPage()
  await demo.enterAsHost(page, 'Ana')
  await expect(page.getByRole('button', { name: 'Leave' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Join Audio' })).toBeHidden()
  await demo.enter(guest, 'Ben')
  await joinAudio(guest)
  const { userId } = await self(guest)
  expect(await self(page)).toMatchObject({ isHost: true, isOriginhost: true })

  expect(await callOnce(guest, 'muteAll', { muteAll: true })).toMatchObject({ answers: [1] })
  expect(await callOnce(guest, 'makeCoHost', { userId })).toMatchObject({ answers: [3003] })
  expect(await callOnce(guest, 'reclaimHost')).toMatchObject({ answers: [1] })
  expect(await callOnce(page, 'lowerHand', { userId: 1 })).toMatchObject({ answers: [1] })

  expect(await callOnce(page, 'mute', { userId, mute: true })).toMatchObject({ answers: [0] })
  await expect.poll(() => self(guest)).toMatchObject({ muted: true })
  await expect.poll(() => receivedEvents(page, 'onUserUpdate')).toContainEqual(expect.objectContaining({ muted: true }))
  expect(await callOnce(page, 'muteAll', { muteAll: true })).toMatchObject({ answers: [0] })
  expect(await callOnce(page, 'muteAll', { muteAll: true })).toEqual({ returned: false, answers: [] })

  await expect.poll(() => callOnce(page, 'mute', { userId, mute: false })).toMatchObject({ answers: [0] })
  const asked = guest.getByRole('alertdialog', { name: 'The host would like you to unmute' })
  await asked.getByRole('button', { name: 'Stay Muted' }).click()
  await expect(asked).toBeHidden()
  await expect.poll(() => callOnce(page, 'mute', { userId, mute: false })).toMatchObject({ answers: [0] })
  await asked.getByRole('button', { name: 'Unmute' }).click()
  await expect.poll(() => self(guest)).toMatchObject({ muted: false })
})

test('who is put into the waiting room reads so, and comes back; a host’s page that reloads is host again', async ({
  page,
  context,
}) => {
  const guest = await context.newPage()
  await demo.enterAsHost(page, 'Ana')
  await demo.enter(guest, 'Ben')
  const { userId } = await self(guest)
  await callSdk(page, 'putOnHold', { userId, hold: true })
  await expect(guest.getByText('the meeting host will let you in soon')).toBeVisible()
  const told = (isInWaitingRoom: boolean, isSelf: boolean) => ({ isInWaitingRoom, self: isSelf, userId })
  await expect.poll(() => receivedEvents(page, 'onUserIsInWaitingRoom')).toEqual([told(true, false)])
  await expect.poll(() => receivedEvents(guest, 'onUserIsInWaitingRoom')).toEqual([told(true, true)])

  await demo.enterAsHost(page, 'Ana')
  expect(await self(page)).toMatchObject({ isHost: true })
  const { result } = await callSdk(page, 'getAttendeeslist')
  expect(result?.attendeesList).toMatchObject([
    { userName: 'Ana', self: true },
    { userName: 'Ben', isHold: true },
  ])
  await callSdk(page, 'admitAll')
  await expect(guest.getByText('the meeting host will let you in soon')).toBeHidden()
  await expect.poll(() => receivedEvents(guest, 'onJoinSpeed')).toEqual([{ level: 6 }, { level: 7 }])
})

test('the panel is accessible, also on a narrow phone', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 568 })
  await demo.enter(page, 'Ana')
  await demo.happens('/recording', { action: 'start' })
  await expect(page.getByText('This meeting is being recorded')).toBeVisible()
  await page.evaluate(axe.source)
  const violations = () =>
    page.evaluate(`axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id }) => id))`)
  expect(await violations()).toEqual([])
  await joinAudio(page)
  expect(await violations()).toEqual([])
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  await expect.poll(overflow).toBe(0)
})
