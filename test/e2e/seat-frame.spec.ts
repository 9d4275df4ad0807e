import type { Page } from '@playwright/test'
import { TakeSeatAnswer } from '../../shared/seat.ts'
import { http, type ServerProcess } from '../servers/server-process.ts'
import { FAILED_CALL } from './support/console-errors.ts'
import type { TestHost } from './support/hosts.ts'
import type { Person } from './support/people.ts'
import { type PhoneApp, speak, tap, test, zoom } from './support/phone-app.ts'
import { openSeatFrame, seatUrl } from './support/seat-frame.ts'
import { expect } from './support/test.ts'

async function ticketOf(server: ServerProcess, { token }: TestHost) {
  const wanted = { seat_id: crypto.randomUUID(), as: 'host' }
  const { body } = await http(server, 'POST', '/host/seat', { token, body: wanted })
  return TakeSeatAnswer.parse(body).data.ticket
}

type AppFixtures = { addPeople: (names: string[]) => Promise<Person[]>; joinApp: (person: Person) => Promise<PhoneApp> }

/** Returns the phone app of a person who speaks. */
async function speakByApp({ addPeople, joinApp }: AppFixtures, name: string) {
  const [person] = await addPeople([name])
  if (!person) throw new Error('There is nobody')
  const app = await joinApp(person)
  await speak(app)
  return app
}

test('a silent seat joins without a tap, sees a phone speak and mutes it', async ({
  page,
  server,
  host,
  meeting,
  addPeople,
  joinApp,
}) => {
  await meeting.start()
  const app = await speakByApp({ addPeople, joinApp }, 'Anita')

  await page.addInitScript(() => {
    Object.assign(navigator.mediaDevices ?? {}, {
      getUserMedia: () => {
        throw new Error('The seat asked for the microphone')
      },
    })
  })
  const seat = await openSeatFrame(page, server)
  await seat.join(await ticketOf(server, host))
  await expect.poll(seat.state).toMatchObject({ powers: 'host', connection: 'in', trouble: null })
  const phone = async () => (await seat.people()).find(({ name }) => name === 'Anita')
  await expect.poll(phone).toMatchObject({ audio: 'computer', muted: false, is_self: false })
  await expect.poll(async () => (await seat.people()).filter(({ is_self }) => is_self)).toMatchObject([{ audio: '' }])
  const { key = '', zoom_user_id } = (await phone()) ?? {}
  await expect.poll(async () => (await seat.take('speaking')).flatMap(({ keys }) => keys)).toContain(key)

  await seat.order('a', 'mute', zoom_user_id)
  await expect.poll(seat.outcomes).toEqual(['a done'])
  await expect.poll(phone).toMatchObject({ muted: true })
  await expect(zoom(app.page).getByRole('button', { name: 'Unmute' })).toBeVisible()

  await seat.lock()
  await tap(app.page, 'Speak').press('Enter')
  await expect.poll(async () => (await seat.take('guarded')).map((one) => one.key)).toContain(key)
  await expect.poll(phone).toMatchObject({ muted: true })
})

test('without powers a seat is refused, until it takes the host’s role back', async ({
  page,
  server,
  host,
  meeting,
  addPeople,
  joinApp,
}) => {
  await meeting.start()
  await speakByApp({ addPeople, joinApp }, 'Anita')
  const seat = await openSeatFrame(page, server)
  await seat.join(await ticketOf(server, host))
  const phone = async () => (await seat.people()).find(({ name }) => name === 'Anita')
  await expect.poll(phone).toMatchObject({ muted: false })
  const userId = (await phone())?.zoom_user_id ?? 0
  await frameOf(page).evaluate(
    (id) => (window as unknown as { ZoomMtg: { makeHost: (to: object) => void } }).ZoomMtg.makeHost({ userId: id }),
    userId,
  )
  await expect.poll(seat.state).toMatchObject({ powers: 'none' })
  await expect.poll(phone).toMatchObject({ is_host: true })
  await seat.order('a', 'mute', userId)
  await seat.order('b', 'mute-all')
  await seat.order('c', 'remove', userId)
  await expect.poll(seat.outcomes).toEqual(['a refused', 'b refused', 'c refused'])
  await expect.poll(phone).toMatchObject({ muted: false })

  await seat.order('d', 'reclaim-host')
  await expect.poll(seat.outcomes).toContain('d done')
  await expect.poll(phone).toMatchObject({ is_host: false, is_co_host: true })
  await seat.order('e', 'mute', userId)
  await expect.poll(seat.outcomes).toContain('e done')
  await expect.poll(phone).toMatchObject({ muted: true })
})

test('leaving ends the seat, and leaves no token in the storage of the frame', async ({
  page,
  server,
  host,
  meeting,
}) => {
  await meeting.start()
  const seat = await openSeatFrame(page, server)
  await seat.join(await ticketOf(server, host))
  await expect.poll(seat.state).toMatchObject({ connection: 'in' })
  await frameOf(page).evaluate(() => sessionStorage.setItem('WEB_CLIENT_ZTK', 'a token'))
  await seat.send({ type: 'leave', id: 'l' })
  await expect.poll(() => seat.take('ended')).toMatchObject([{ reason: 'left' }])
  await expect.poll(seat.outcomes).toEqual(['l done'])
  await expect.poll(() => new URL(frameOf(page).url()).pathname).toBe('/seat/left')
  await expect.poll(() => frameOf(page).evaluate(() => sessionStorage.length)).toBe(0)
})

test('drops what is no message, and a second port', async ({ page, server, host, meeting }) => {
  await meeting.start()
  const seat = await openSeatFrame(page, server)
  for (const bad of [null, 'join', { type: 'join' }, { type: 'do', id: 'a', what: 'rename' }, [], 0])
    await seat.sendAnything(bad)
  const answered = await page.evaluate(
    (origin) => {
      const { port1, port2 } = new MessageChannel()
      let isAnswered = false
      port1.onmessage = () => {
        isAnswered = true
      }
      frames[0]?.postMessage('parley-seat-port', origin, [port2])
      port1.postMessage({ type: 'leave', id: 'x' })
      Object.assign(window, { answered: () => isAnswered })
      return isAnswered
    },
    new URL(seatUrl(server)).origin,
  )
  await seat.join(await ticketOf(server, host))
  await expect.poll(seat.state).toMatchObject({ connection: 'in' })
  expect([answered, await page.evaluate('answered()'), await seat.take('done')]).toEqual([false, false, []])
})

test('no other site may hold the seat', async ({ page, server, consoleErrors }) => {
  consoleErrors.allow(/frame-ancestors|frame-src|Content Security Policy|Framing/, FAILED_CALL)
  for (const site of [server.phone_url, server.public_url, server.master_url]) {
    await page.goto(site)
    await page.evaluate((url) => {
      const frame = document.createElement('iframe')
      frame.src = url
      Object.assign(window, { heard: [] })
      window.addEventListener('message', ({ data }) => (window as unknown as { heard: unknown[] }).heard.push(data))
      const loaded = new Promise((resolve) => frame.addEventListener('load', resolve))
      document.body.append(frame)
      return loaded
    }, seatUrl(server))
    expect([site, await page.evaluate('heard')]).toEqual([site, []])
  }
})

function frameOf(page: Page) {
  const frame = page.frames().find((one) => new URL(one.url() || 'about:blank').hostname.startsWith('meeting.'))
  if (!frame) throw new Error('There is no seat')
  return frame
}
