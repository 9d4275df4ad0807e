import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Attendee } from '../emulator/media/events.ts'
import { createSchedule, type Schedule } from '../shared/phone/schedule.ts'
import { startMeeting } from '../test/zoom/connected-app.ts'
import { ZOOM_USERS, ZoomUsers } from './zoom-users.ts'

/** All waits are so much shorter. */
const FASTER = 20

let meeting: Awaited<ReturnType<typeof startMeeting>>
let crowd: ZoomUsers
let host: (order: object) => Promise<unknown>
beforeEach(async () => {
  meeting = await startMeeting()
  const { meeting_number, passcode } = await meeting.ticket('any')
  const real = createSchedule()
  const schedule: Schedule = {
    ...real,
    wait: (ms, signal) => real.wait(ms / FASTER, signal),
    after: (ms, run) => real.after(ms / FASTER, run),
  }
  const { token } = await post('/sdk/join', await meeting.hostTicket('Hana'))
  host = (order) => post(`/sdk/participants/${token}/orders`, order)
  crowd = new ZoomUsers({ zoom: meeting.zoom.origin, invitation: { meeting_number, passcode }, schedule })
  await expect.poll(() => crowd.users.filter((user) => user.isPresent).length).toBe(ZOOM_USERS)
})
afterEach(async () => {
  await crowd.leave()
  await meeting.zoom.close()
})

async function post(path: string, body: object) {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(meeting.zoom.origin + path, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
  return answer.json()
}

type Heard = Attendee & { frames: number }
const guests = async (): Promise<Heard[]> => {
  const { participants } = (await meeting.zoom.control('/sound')).body
  return participants.filter(({ isHost }: Attendee) => !isHost)
}
const find = async (name: string) => (await guests()).find(({ userName }) => userName === name)
const idOf = async (name: string) => (await find(name))?.userId
const named = (name: string) => {
  const user = crowd.users.find((one) => one.name === name)
  if (!user) throw new Error(`There is no ${name}`)
  return user
}
const LONG = { timeout: 20_000 }

test('six people without Parley are in the meeting, two of them by telephone, and are heard in turns', async () => {
  expect((await guests()).map(({ audio, customerKey }) => [audio, customerKey]).toSorted()).toEqual([
    ...Array.from({ length: 4 }, () => ['computer', '']),
    ...Array.from({ length: 2 }, () => ['phone', '']),
  ])
  await expect.poll(async () => (await guests()).filter(({ frames }) => frames > 0).length, LONG).toBeGreaterThan(1)
})

test('Mute All silences them, and asking lets one speak again', async () => {
  await Promise.all(crowd.users.map((user) => user.setMuted(false)))
  await expect.poll(async () => (await guests()).filter(({ muted }) => !muted).length).toBeGreaterThan(3)
  await host({ do: 'muteAll', muteAll: true })
  await expect.poll(() => crowd.users.filter((user) => user.isSilenced).length).toBeGreaterThan(3)
  const [silent] = crowd.users.filter((user) => user.isSilenced)
  const name = silent?.name ?? ''
  expect(await find(name)).toMatchObject({ muted: true })
  await host({ do: 'mute', mute: false, userId: await idOf(name) })
  await expect.poll(() => silent?.isSilenced).toBe(false)
  await expect.poll(async () => (await find(name))?.muted).toBe(false)
  expect(silent?.isAsked).toBe(true)
})

test('one whom the host mutes in the middle of a word falls silent', async () => {
  await expect.poll(async () => (await guests()).some(({ muted, frames }) => !muted && frames > 0), LONG).toBe(true)
  const speaker = (await guests()).find(({ muted }) => !muted)
  await host({ do: 'mute', mute: true, userId: speaker?.userId })
  await expect.poll(() => named(speaker?.userName ?? '').isSilenced).toBe(true)
  await named(speaker?.userName ?? '').setMuted(false)
  expect(await find(speaker?.userName ?? '')).toMatchObject({ muted: true })
})

test('one who is held waits, and one who is removed stays away', async () => {
  const [waiting, removed] = ['Olga K.', 'Tariq Mahmood']
  await host({ do: 'putOnHold', hold: true, userId: await idOf(waiting) })
  await expect.poll(() => named(waiting).isPresent).toBe(false)
  await host({ do: 'putOnHold', hold: false, userId: await idOf(waiting) })
  await expect.poll(() => named(waiting).isPresent).toBe(true)
  await host({ do: 'expel', userId: await idOf(removed) })
  await expect.poll(async () => (await guests()).length).toBe(ZOOM_USERS - 1)
  await meeting.happens('/end')
  await meeting.happens('/start')
  await expect.poll(async () => (await guests()).length, LONG).toBe(ZOOM_USERS - 1)
  expect(await find(removed)).toBeUndefined()
})
