import type { Page } from '@playwright/test'
import { pressEnter } from './support/keys.ts'
import { button, tile } from './support/online-room.ts'
import type { Person } from './support/people.ts'
import { dock, guest, isSeat, openRoomStream, test } from './support/seat-room.ts'
import { expect } from './support/test.ts'
import { control } from './support/zoom.ts'

const [GINA, EAR] = [660, 330]
const SEEN_MS = 1_500

test('one press takes the seat of a running meeting in five seconds, with neither microphone nor sound', {
  tag: '@realtime',
}, async ({ page, meeting, openOnline, inMeeting }) => {
  await meeting.start()
  await page.addInitScript(() => {
    Object.assign(navigator.mediaDevices ?? {}, {
      getUserMedia: () => {
        throw new Error('The seat asked for the microphone')
      },
    })
  })
  await openOnline()
  await button(page, 'Take the host’s seat').click()
  await expect(dock(page).getByText('You have the host’s seat')).toBeVisible({ timeout: 5_000 })
  const seats = async () => (await inMeeting()).filter(isSeat)
  await expect.poll(seats).toMatchObject([{ audio: '', frames: 0, isHost: true }])
  await expect(dock(page).getByRole('button', { name: /sound/ })).toHaveCount(0)
  await expect(dock(page).locator('iframe')).toHaveAttribute('allow', '')
  const peers = page.frames().map((frame) => frame.evaluate(() => document.querySelectorAll('audio').length))
  expect(await Promise.all(peers)).toEqual(page.frames().map(() => 0))
})

test('another console sees what a guest in Zoom does within a second and a half, and a phone sees nothing of it', {
  tag: '@realtime',
}, async ({ takeSeat, openConsole, joinZoom, room, server, host }) => {
  await takeSeat()
  const other = await openConsole()
  const { phone } = await room.join('Amina Yusuf')
  const onPhone = await openRoomStream(server, host, phone)
  await joinZoom('Ear', EAR)
  await expect(guest(other, 'Ear')).toBeVisible()

  const seen = await watchGuest(other, 'Gina')
  const before = Date.now()
  const gina = await joinZoom('Gina', GINA)
  const joined = Date.now()
  expect(await seen('in')).toBeGreaterThan(before)
  expect((await seen('in')) - joined).toBeLessThan(SEEN_MS)

  await button(gina, 'Unmute').click()
  await expectSoon(Date.now(), seen('Speaking'))
  await button(gina, 'Raise Hand').click()
  await button(gina, 'Mute').click()
  await expectSoon(Date.now(), seen('Wants to speak'))
  await button(gina, 'Lower Hand').click()
  await expectSoon(Date.now(), seen('Muted'))

  await button(gina, 'Unmute').click()
  await expectSoon(Date.now(), seen('Speaking'))
  await gina.evaluate('window.hush()')
  const hushed = Date.now()
  const ended = (await seen('Microphone on')) - hushed
  expect(ended).toBeGreaterThan(3_000)
  expect(ended).toBeLessThan(4_500)
  await gina.close()
  const closed = Date.now() // the emulator gives a page's network some seconds to come back
  expect((await seen('out')) - closed).toBeLessThan(12_000)

  const names = new Set(onPhone.received.map(({ name }) => name))
  for (const name of ['seat', 'attendees', 'attendees-speaking', 'seat-command', 'command-settled'])
    expect([...names]).not.toContain(name)
  expect(JSON.stringify(onPhone.received)).not.toContain('Gina')
  onPhone.close()
})

test('guests are told from users by their key, and by name only on the host’s word, and no two are merged', async ({
  page,
  server,
  takeSeat,
  meeting,
  joinApp,
  room,
}) => {
  const enter = (user_name: string, customer_key?: string) =>
    control(server, `/meetings/${meeting.number}/participants/join`, {
      user_name,
      ...(customer_key && { customer_key }),
    })
  const faces = '😀'.repeat(64)
  await takeSeat()
  const amina = await joinApp(room.personNamed('Amina Yusuf'))
  await expect(tile(page, amina)).toBeVisible()
  await enter('Amina Yusuf', keyOf(amina)) // twice the same key: one tile, which says so
  await enter('Lee')
  await enter('Lee')
  await enter(faces)
  await enter('محمد عبد الرحمن')
  await enter('Ben Carter')
  await expect(guest(page, 'Lee')).toHaveCount(2)
  await expect(guest(page, 'محمد عبد الرحمن')).toHaveCount(1)
  await expect(guest(page, '😀')).toHaveText(/^\s*(😀){64}\s*No sound/)
  await expect(guest(page, 'Amina Yusuf')).toHaveCount(0)
  await expect(tile(page, amina)).toHaveCount(1)

  const question = page.getByText(/“Ben Carter” is in Zoom\. Is this Ben Carter \(U000002\)\?/)
  await expect(question).toBeVisible()
  await expect(guest(page, 'Ben Carter')).toHaveCount(1)
  await pressEnter(page.getByRole('listitem').filter({ has: question }).getByRole('button', { name: 'Yes, always' }))
  await expect(question).toHaveCount(0)
  await expect(guest(page, 'Ben Carter')).toContainText('Known by name')
  await expect(guest(page, 'Ben Carter')).not.toContainText('May speak') // a name gives no right

  await enter('  BEN carter') // the remembered name, in another spelling
  await expect(page.getByRole('list', { name: 'In Zoom only' }).getByText('Known by name')).toHaveCount(2)
  await expect(page.getByText(/is in Zoom\. Is this/)).toHaveCount(0)
})

const keyOf = ({ id }: Pick<Person, 'id'>) => id.replaceAll('-', '')

/** Notes when the tile of this guest first shows each word after it was last asked for. */
async function watchGuest(page: Page, name: string) {
  await page.evaluate((who) => {
    const seen: { word: string; at: number }[] = []
    Object.assign(window, { seenOfGuest: seen })
    let last = 'out'
    const note = () => {
      const tiles = [...document.querySelectorAll('[data-guest]')]
      const found = tiles.find((one) => one.textContent?.includes(who))
      const word = found?.querySelector('span[id] > span')?.textContent ?? 'out'
      if (word === last) return
      if (last === 'out') seen.push({ word: 'in', at: Date.now() })
      last = word
      seen.push({ word, at: Date.now() })
    }
    new MutationObserver(note).observe(document.body, { childList: true, subtree: true, characterData: true })
  }, name)
  let read = 0
  return async (word: string) => {
    const found = await page.waitForFunction(
      ([wanted, from]) => {
        const { seenOfGuest } = window as unknown as { seenOfGuest: { word: string; at: number }[] }
        const index = seenOfGuest.findIndex((one, at) => at >= from && one.word.startsWith(wanted))
        return index < 0 ? null : { index, at: seenOfGuest[index]?.at ?? 0 }
      },
      [word, read] as const,
    )
    const { index, at } = (await found.jsonValue()) ?? { index: 0, at: 0 }
    if (word !== 'in') read = index
    return at
  }
}

async function expectSoon(from: number, seen: Promise<number>) {
  expect((await seen) - from).toBeLessThan(SEEN_MS)
}
