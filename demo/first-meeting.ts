import { z } from 'zod'
import { HostLoginAnswer } from '../shared/auth.ts'
import { Done } from '../shared/envelope.ts'
import { call } from '../shared/phone/call.ts'
import { RoomAnswer, StartMeetingAnswer } from '../shared/rooms.ts'
import type { MeetingInvitation } from '../simulator/plain-zoom-user.ts'
import { SAMPLE_HOSTS } from '../simulator/sample-logins.ts'

/** Recordings are available as soon as they stop, and play for their stated duration. */
const DEMO_OPTIONS = { files_on_stop: true, full_length: true }

export async function setDemoOptions(emulatorOrigin: string) {
  await call(z.object({}), 'POST', `${emulatorOrigin}/_emulator/options`, { body: DEMO_OPTIONS })
}

/**
 * Starts the first room's meeting the way its host does: by opening Zoom's link in a browser. Returns what others need
 * to join it by Zoom alone.
 */
export async function startFirstMeeting(server: string): Promise<MeetingInvitation> {
  const { username, password } = SAMPLE_HOSTS.circle
  const login = await call(HostLoginAnswer, 'POST', `${server}/api/auth/host/login`, { body: { username, password } })
  const { token } = login.data
  try {
    const { start_url } = (await call(StartMeetingAnswer, 'POST', `${server}/api/host/room/start`, { token })).data
    const page = await fetch(start_url)
    await page.body?.cancel()
    if (!page.ok) throw new Error(`Zoom's start link answered ${page.status}`)
    const { room } = (await call(RoomAnswer, 'GET', `${server}/api/host/room`, { token })).data
    return { meeting_number: room.zoom_meeting_id ?? '', passcode: room.password ?? '' }
  } finally {
    await call(Done, 'POST', `${server}/api/auth/host/logout`, { token })
  }
}
