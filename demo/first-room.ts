import { z } from 'zod'
import { AppInfoAnswer } from '../shared/app-info.ts'
import { HostLoginAnswer } from '../shared/auth.ts'
import { Done } from '../shared/envelope.ts'
import type { Host } from '../shared/hosts.ts'
import { call } from '../shared/phone/call.ts'
import { type PlanMeeting, PlannedMeetingsAnswer } from '../shared/planned-meetings.ts'
import { RoomUserAnswer, RoomUsersAnswer } from '../shared/room-users.ts'
import type { SampleHostLogin } from '../simulator/sample-logins.ts'
import { circleTurns } from './history/circle-history.ts'
import type { MasterApi } from './sample-data.ts'
import { addGroups } from './sample-groups.ts'
import { SAMPLE_PEOPLE, samplePassword, sampleUserId } from './sample-people.ts'
import { sampleRecordings } from './sample-recordings.ts'

/** Keeps one call waiting, since a small server hashes two passwords at a time. */
const ADDED_AT_ONCE = 3

const AtZoom = z.object({ recordings: z.array(z.object({ uuid: z.string() })) })
const Settings = z.object({ account: z.object({ email: z.string() }) })
const Put = z.object({ recording: z.object({ uuid: z.string() }) })

const SAMPLE_APP_INFO = {
  user_title: 'Evening Study Circle',
  helpline: '+234 803 555 0142',
  message:
    'We meet on Tuesdays, Thursdays and Sundays at 18:00 UTC. Raise your hand to speak; the host calls you by name.',
}

/** The days of the past meetings. */
const SAMPLE_TIMES = { weekdays: ['TU' as const, 'TH' as const, 'SU' as const], time: '18:00', minutes: 60 }

export async function addPeople(server: string, { username, password }: SampleHostLogin) {
  const login = await call(HostLoginAnswer, 'POST', `${server}/api/auth/host/login`, { body: { username, password } })
  const { token } = login.data
  const { users } = (await call(RoomUsersAnswer, 'GET', `${server}/api/host/users`, { token })).data
  const there = new Set(users.map((user) => user.user_id))
  const missing = SAMPLE_PEOPLE.map((person, index) => ({
    ...person,
    user_id: sampleUserId(index),
    password: samplePassword(index),
  })).filter(({ user_id }) => !there.has(user_id))
  const addNext = async () => {
    for (let body = missing.shift(); body; body = missing.shift()) {
      await call(RoomUserAnswer, 'POST', `${server}/api/host/users`, { token, body })
    }
  }
  await Promise.all(Array.from({ length: ADDED_AT_ONCE }, addNext))
  await addGroups(server, token)
  await fillAppInfo(server, token)
  await planMeetings(server, token)
  await call(Done, 'POST', `${server}/api/auth/host/logout`, { token })
}

/** Changes nothing once the host has entered any of it. */
async function fillAppInfo(server: string, token: string) {
  const url = `${server}/api/host/app-info`
  const { appInfo } = await call(AppInfoAnswer, 'GET', url, { token })
  if (appInfo.user_title || appInfo.helpline || appInfo.message) return
  await call(AppInfoAnswer, 'PUT', url, { token, body: SAMPLE_APP_INFO })
}

async function planMeetings(server: string, token: string) {
  const url = `${server}/api/host/planned-meetings`
  const { planned_meetings } = (await call(PlannedMeetingsAnswer, 'GET', url, { token })).data
  if (planned_meetings.length > 0) return
  const first_day = Temporal.Now.plainDateISO('UTC').toString()
  const body: PlanMeeting = { ...SAMPLE_TIMES, first_day, time_zone: 'UTC' }
  await call(z.object({}), 'POST', url, { token, body })
}

/** Adds the recordings to the emulator, which sends the server its webhooks. */
export async function addRecordings({ emulatorOrigin, now = Date.now }: MasterApi, host: Host) {
  const meeting_id = host.rooms[0]?.zoom_meeting_id
  if (!emulatorOrigin || !meeting_id) return
  const control = `${emulatorOrigin}/_emulator`
  const { zoom_user_email: email } = host
  if (email)
    await call(Settings, 'POST', `${control}/accounts`, {
      body: { email, settings: { recording_audio_transcript: true } },
    })
  const { recordings } = await call(AtZoom, 'GET', `${control}/state`)
  const there = new Set(recordings.map((recording) => recording.uuid))
  const turns = circleTurns(now())
  for (const recording of sampleRecordings(now())) {
    if (there.has(recording.uuid)) continue
    const body = { ...recording, meeting_id, turns: turns.get(recording.uuid) ?? [] }
    await call(Put, 'POST', `${control}/recordings`, { body })
  }
}
