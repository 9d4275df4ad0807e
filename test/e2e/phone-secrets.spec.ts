import { http } from '../servers/server-process.ts'
import { joinSound, meetingFrame, speak, test } from './support/phone-app.ts'
import { expect } from './support/test.ts'

/** Relies on the fixtures: every console error and every policy violation of a page fails the test. */
test('the frame cannot read the session, and no passcode is on a screen, in an address or in a log', async ({
  server,
  host,
  room,
  meeting,
  openApp,
}) => {
  await meeting.start()
  const { password: passcode } = (await http(server, 'GET', '/host/room', { token: host.token })).body.data.room
  expect(passcode).toMatch(/./)
  const amina = await openApp(room.personNamed('Amina Yusuf'))
  const addresses: string[] = []
  amina.page.on('request', (request) => addresses.push(request.url()))
  const violations: string[] = []
  await amina.page.exposeFunction('noteViolation', (text: string) => violations.push(text))
  await joinSound(amina)
  await speak(amina)

  const token = await amina.page.evaluate(() =>
    Object.values({ ...localStorage, ...sessionStorage }).find((value) => /^"?eyJ/.test(value)),
  )
  expect(token).toMatch(/eyJ/)
  const frame = meetingFrame(amina.page)
  const seen = await frame.evaluate(() => {
    const read = (run: () => unknown) => {
      try {
        return String(run())
      } catch (error) {
        return error instanceof Error ? error.name : 'refused'
      }
    }
    return {
      own: JSON.stringify({ ...localStorage, ...sessionStorage }),
      cookies: document.cookie,
      parent: read(() => window.parent.localStorage.length),
      document: read(() => window.parent.document.title),
      address: `${location.href} ${document.referrer}`,
    }
  })
  expect(seen).toMatchObject({ own: '{}', cookies: '', parent: 'SecurityError', document: 'SecurityError' })
  expect(seen.address).not.toContain('eyJ')

  const texts = [await amina.page.content(), await frame.content(), ...addresses, server.output()]
  for (const text of texts) expect(text).not.toContain(passcode)
  expect(server.output()).not.toContain(token)
  expect(violations).toEqual([])
})
