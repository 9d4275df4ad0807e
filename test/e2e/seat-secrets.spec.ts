import type { Page, Response } from '@playwright/test'
import { TakeSeatAnswer } from '../../shared/seat.ts'
import { http } from '../servers/server-process.ts'
import { addHost } from './support/hosts.ts'
import { pressEnter } from './support/keys.ts'
import { button } from './support/online-room.ts'
import { seatUrl } from './support/seat-frame.ts'
import { dock, openRoomStream, test } from './support/seat-room.ts'
import { expect } from './support/test.ts'

test.use({ serverEnv: { LOG_LEVEL: 'trace' } })

/** Relies on the fixtures too: every violation of a policy is an error of the console, and fails the test. */
test('the host’s token and the signature are in one answer, and nowhere else', async ({
  page,
  server,
  host,
  master,
  openOnline,
  room,
}) => {
  const { phone } = await room.join('Amina Yusuf')
  const streams = [await openRoomStream(server, host, host), await openRoomStream(server, host, phone)]
  const addresses: string[] = []
  const answers: Promise<{ url: string; text: string }>[] = []
  page.on('request', (request) => addresses.push(request.url()))
  page.on('response', (response) => answers.push(textOf(response)))
  await openOnline()
  const taking = page.waitForResponse(
    (one) => one.request().method() === 'POST' && one.url().endsWith('/api/host/seat'),
  )
  await button(page, 'Take the host’s seat').click()
  const taken = await taking
  expect(taken.headers()['cache-control']).toBe('no-store')
  const { lease, ticket } = TakeSeatAnswer.parse(await taken.json()).data
  const secrets = [ticket.zak ?? '', ticket.signature]
  expect(secrets.every((secret) => secret.length > 20)).toBe(true)
  await expect(dock(page).getByText('You have the host’s seat')).toBeVisible()
  await streams[0]?.next('seat', { state: 'in' })

  const frame = seatFrame(page)
  const seen = await frame.evaluate(() => {
    const read = (run: () => unknown) => {
      try {
        return String(run())
      } catch (error) {
        return error instanceof Error ? error.name : 'refused'
      }
    }
    return {
      cookies: document.cookie,
      storage: read(() => window.parent.sessionStorage.length),
      document: read(() => window.parent.document.title),
      address: `${location.href} ${document.referrer}`,
    }
  })
  expect(seen).toMatchObject({ cookies: '', storage: 'SecurityError', document: 'SecurityError' })
  const stored = () => page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))
  const kept = await stored()
  await frame.evaluate((zak) => sessionStorage.setItem('WEB_CLIENT_ZTK', zak), secrets[0] ?? '') // as Zoom's program does

  await button(dock(page), 'Leave the seat').click()
  await pressEnter(button(page.getByRole('dialog', { name: 'Leave the host’s seat?' }), 'Leave the seat'))
  await expect(dock(page)).toHaveCount(0)
  expect(await storageOfSeat(page, seatUrl(server))).toBe(0)

  const audit = await http(server, 'GET', '/host/audit', { token: host.token })
  const ofMaster = await http(server, 'GET', '/admin/audit', { token: master.token })
  const others = (await Promise.all(answers)).filter(({ url }) => !url.endsWith('/api/host/seat'))
  expect(others.length).toBeGreaterThan(3)
  const texts = {
    log: server.output(),
    streams: JSON.stringify(streams.map(({ received }) => received)),
    audit: JSON.stringify([audit.body, ofMaster.body]),
    storage: kept + (await stored()),
    addresses: JSON.stringify([addresses, seen.address]),
    answers: JSON.stringify(others),
  }
  for (const [where, text] of Object.entries(texts))
    for (const secret of secrets) expect(text.includes(secret), where).toBe(false)
  expect(texts.audit).toContain('seat_taken')
  expect(texts.log).toContain('/api/host/seat') // the log has the call, so that it would have had the secret

  const forged = { seat_id: lease.seat_id, epoch: lease.epoch }
  const report = {
    ...{ ...forged, seq: 0 },
    state: {
      ...{ connection: 'in', powers: 'host', trouble: null },
      ...{ is_recording: false, can_see_speaking: true, is_hidden: false },
    },
  }
  const stranger = await addHost(server)
  for (const [method, path, body] of [
    ['POST', '/host/seat', { seat_id: lease.seat_id, as: 'host' }],
    ['PUT', '/host/seat', report],
    ['DELETE', '/host/seat', forged],
    ['GET', '/host/attendees', undefined],
    ['POST', '/host/attendees/someone/mute', undefined],
    ['POST', '/host/attendees/admit-all', undefined],
    ['PUT', '/host/attendees/someone/user', { user_id: null }],
  ] as const) {
    for (const token of [phone.token, master.token]) {
      const { status } = await http(server, method, path, { token, ...(body && { body }) })
      expect([method, path, [401, 403].includes(status)]).toEqual([method, path, true])
    }
    const { status } = await http(server, method, path, { token: stranger.token, ...(body && { body }) })
    if (method === 'GET') continue // the stranger's own room, where nobody is
    expect([method, path, status >= 400 && status < 500]).toEqual([method, path, true])
  }
  for (const stream of streams) stream.close()
})

/** Reads an answer of the server, except for a stream, which does not end. */
async function textOf(response: Response) {
  const type = response.headers()['content-type'] ?? ''
  const isRead = /json|html/.test(type) && response.url().includes('/api/')
  return { url: response.url(), text: isRead ? await response.text().catch(() => '') : '' }
}

function seatFrame(page: Page) {
  const frame = page.frames().find((one) => new URL(one.url() || 'about:blank').pathname === '/seat')
  if (!frame) throw new Error('There is no seat')
  return frame
}

/** Counts what the origin of the frame keeps within this page. */
async function storageOfSeat(page: Page, url: string): Promise<number> {
  await page.evaluate((src) => {
    const frame = document.createElement('iframe')
    frame.src = src
    const loaded = new Promise((resolve) => frame.addEventListener('load', resolve))
    document.body.append(frame)
    return loaded
  }, url)
  return seatFrame(page).evaluate(() => sessionStorage.length)
}
