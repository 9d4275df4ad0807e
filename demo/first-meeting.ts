import { z } from 'zod'
import { HostLoginAnswer } from '../shared/auth.ts'
import { Done } from '../shared/envelope.ts'
import { call } from '../shared/phone/call.ts'
import { StartMeetingAnswer } from '../shared/rooms.ts'
import { SAMPLE_HOSTS } from '../simulator/sample-logins.ts'

/** A recording is there as soon as it is stopped, and plays as long as it says. */
const DEMO_OPTIONS = { files_on_stop: true, full_length: true }

export async function setDemoOptions(emulatorOrigin: string) {
  await call(z.object({}), 'POST', `${emulatorOrigin}/_emulator/options`, { body: DEMO_OPTIONS })
}

/** Starts the first room's meeting as its host does: with Zoom's link, opened in a browser. */
export async function startFirstMeeting(server: string) {
  const { username, password } = SAMPLE_HOSTS.circle
  const login = await call(HostLoginAnswer, 'POST', `${server}/api/auth/host/login`, { body: { username, password } })
  const { token } = login.data
  try {
    const { start_url } = (await call(StartMeetingAnswer, 'POST', `${server}/api/host/room/start`, { token })).data
    const page = await fetch(start_url)
    await page.body?.cancel()
    if (!page.ok) throw new Error(`Zoom's start link answered ${page.status}`)
  } finally {
    await call(Done, 'POST', `${server}/api/auth/host/logout`, { token })
  }
}
