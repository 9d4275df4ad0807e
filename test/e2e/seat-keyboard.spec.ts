import type { ServerProcess } from '../servers/server-process.ts'
import { pressEnter } from './support/keys.ts'
import { button } from './support/online-room.ts'
import { dock, guest, test } from './support/seat-room.ts'
import { expect } from './support/test.ts'
import { roomOf } from './support/zoom-host.ts'

const GUESTS = 300
const STRANGER = 'Zed Stranger'

test('with 300 in Zoom, a stranger is found, muted, held and admitted by keyboard alone', async ({
  page,
  server,
  host,
  meeting,
  openOnline,
  inMeeting,
}) => {
  const { password } = await roomOf(server, host)
  const dial = (name: string) => joinByTelephone(server, { number: meeting.number, password, name })
  await openOnline(page)
  await pressEnter(button(page, 'Take the host’s seat'))
  await expect(dock(page).getByText('You have the host’s seat')).toBeVisible()
  const stranger = await dial(STRANGER)
  for (let at = 1; at < GUESTS; at += 23)
    await Promise.all(Array.from({ length: Math.min(23, GUESTS - at) }, (_, n) => dial(`Guest ${at + n}`)))
  await stranger({ muted: false })
  await expect(page.getByRole('heading', { name: `In Zoom only (${GUESTS})`, exact: true })).toBeVisible()
  await expect(guest(page, STRANGER)).toHaveCount(0) // far below, where nothing is drawn

  await page.keyboard.type('zed')
  await expect(page.getByRole('heading', { name: `In Zoom only (1 of ${GUESTS})`, exact: true })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(button(page, `Actions for ${STRANGER}`)).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(button(page, `Mute ${STRANGER}`)).toBeFocused()
  await pressEnter(button(page, `Mute ${STRANGER}`))
  await expect(guest(page, STRANGER)).toContainText('Muted')
  expect((await inMeeting()).find(({ userName }) => userName === STRANGER)?.muted).toBe(true)

  await page.keyboard.press('Escape') // shows all, of whom newer ones come first
  await expect(page.getByRole('heading', { name: `In Zoom only (${GUESTS})`, exact: true })).toBeVisible()
  await expect(button(page, `Ask ${STRANGER} to unmute`)).toBeFocused()
  await dial('One more')
  await expect(page.getByRole('heading', { name: `In Zoom only (${GUESTS + 1})`, exact: true })).toBeVisible()
  await expect(button(page, `Ask ${STRANGER} to unmute`)).toBeFocused()

  await stranger({ muted: false })
  await expect(button(page, `Mute ${STRANGER}`)).toBeFocused()
  await pressEnter(button(page, 'Mute All'))
  await expect.poll(async () => (await inMeeting()).filter(({ muted, audio }) => !muted && audio !== '')).toEqual([])

  const slow = await page.context().newCDPSession(page)
  await slow.send('Emulation.setCPUThrottlingRate', { rate: 10 })
  await page.keyboard.type('zed')
  await page.keyboard.press('Enter') // before the list has followed
  await expect(button(page, `Actions for ${STRANGER}`)).toBeFocused()
  await slow.detach()
  await pressEnter(button(page, `Actions for ${STRANGER}`))
  const hold = page.getByRole('menuitem', { name: 'Send to the waiting room' })
  await expect(hold).toBeVisible()
  for (let press = 0; press < 6 && !(await hold.evaluate((item) => item === document.activeElement)); press++)
    await page.keyboard.press('ArrowDown')
  await expect(hold).toBeFocused()
  await pressEnter(hold)
  await expect(page.getByText('1 in Zoom’s waiting room')).toBeVisible()
  await pressEnter(button(page, `Admit ${STRANGER}`))
  await expect(guest(page, STRANGER)).toBeVisible()

  await pressEnter(button(dock(page), 'Leave the seat'))
  await pressEnter(button(page.getByRole('dialog', { name: 'Leave the host’s seat?' }), 'Leave the seat'))
  await expect(dock(page)).toHaveCount(0)
  await expect(button(page, 'Take the host’s seat')).toBeVisible()
})

type Caller = { number: string; password?: string | null | undefined; name: string }

/** Returns how the caller changes its own state at Zoom. */
async function joinByTelephone({ emulator_origin }: ServerProcess, { number, password, name }: Caller) {
  const post = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(emulator_origin + path, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`${path} was refused: ${await answer.text()}`)
    return answer.json()
  }
  const who = { meeting_number: number, passcode: password ?? '', user_name: name, telephone: true }
  const { token } = await post('/zoom/join', who)
  return (state: object) => post(`/sdk/participants/${token}/state`, state)
}
