import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { RECORDED_SPEECHES_MAX, RecordingSpeakersAnswer } from '../../../shared/recording-speakers.ts'
import type { RoomUser } from '../../../shared/room-users.ts'
import { buildHost, buildRoomUser, call, type TestHost } from '../../../test/factories/accounts.ts'
import { buildZoomHost, listRecordings, putRecording, setupWithZoom } from '../../../test/zoom/emulated-zoom.ts'

const START = '2026-11-20T18:30:00Z'
const server = await setupWithZoom({ now: () => Date.parse('2026-11-21T10:00:00Z') })
const { db } = server.deps
let host: TestHost
let room_id: string
let recording: string
let anna: RoomUser
let ben: RoomUser

beforeEach(async () => {
  host = await buildZoomHost(server)
  room_id = await roomOf(host)
  await putRecording(server, host, START) // of 42 minutes
  recording = (await listRecordings(server, host)).recordings[0]?.id ?? ''
  anna = await buildRoomUser(server, host, { username: 'Anna' })
  ben = await buildRoomUser(server, host, { username: 'Ben' })
})

async function roomOf({ id }: TestHost): Promise<string> {
  const room = await db.selectFrom('rooms').select('id').where('host_id', '=', id).executeTakeFirstOrThrow()
  return room.id
}

const after = (seconds: number) => new Date(Date.parse(START) + seconds * 1000)
const speak = ({ id: room_user_id }: RoomUser, from: number, to: number, room = room_id) =>
  db
    .insertInto('speeches')
    .values({ room_id: room, room_user_id, began_at: after(from), ended_at: after(to) })
    .execute()
const ask = (id = recording, as = host) => call(server, 'GET', `/host/recordings/${id}/speakers`, { as })
const read = async () => RecordingSpeakersAnswer.parse((await ask()).body).data

test('has the speeches of the recording, from its start, and how long each user spoke in it', async () => {
  const others = await buildZoomHost(server)
  const stranger = await buildRoomUser(server, others)
  await speak(anna, -30, 20.5)
  await speak(ben, 10, 70)
  await speak(anna, 42 * 60 - 10, 42 * 60 + 20)
  await speak(ben, -90, -60) // before
  await speak(ben, 43 * 60 + 1, 43 * 60 + 90) // after
  await speak(stranger, 10, 70, await roomOf(others))
  expect(await read()).toEqual({
    speakers: [
      { id: ben.id, user_id: ben.user_id, username: 'Ben', reference: null, spoke_seconds: 60 },
      { id: anna.id, user_id: anna.user_id, username: 'Anna', reference: null, spoke_seconds: 51 },
    ],
    speeches: [
      { id: anna.id, from_seconds: -30, to_seconds: 20.5 },
      { id: ben.id, from_seconds: 10, to_seconds: 70 },
      { id: anna.id, from_seconds: 42 * 60 - 10, to_seconds: 42 * 60 + 20 },
    ],
    has_more: false,
  })
})

test('is empty where no one spoke', async () => {
  expect(await read()).toEqual({ speakers: [], speeches: [], has_more: false })
})

test('leaves out the latest speeches of very many', async () => {
  await sql`
    insert into speeches (room_id, room_user_id, began_at, ended_at)
    select ${room_id}, ${anna.id}, ${after(0)}::timestamptz + n * interval '100 ms', ${after(0)}::timestamptz + n * interval '100 ms' + interval '50 ms'
    from generate_series(0, ${sql.lit(RECORDED_SPEECHES_MAX)}) as n`.execute(db)
  const { speeches, has_more } = await read()
  expect(has_more).toBe(true)
  expect(speeches).toHaveLength(RECORDED_SPEECHES_MAX)
  expect(speeches.at(-1)?.from_seconds).toBeCloseTo((RECORDED_SPEECHES_MAX - 1) / 10)
})

test('of another host, in the trash, gone, or unknown is not found', async () => {
  const notFound = {
    status: 404,
    body: { success: false, code: 'not_found', message: 'Recording not found - it may have been already deleted' },
  }
  const setRecording = (values: { trashed_at?: Date | null; gone_at_zoom?: boolean; archived_path?: string }) =>
    db.updateTable('recordings').set(values).where('id', '=', recording).execute()
  expect(await ask(recording, await buildHost(server))).toMatchObject(notFound)
  expect(await ask('no-id')).toMatchObject(notFound)
  expect(await ask(host.id)).toMatchObject(notFound)
  await setRecording({ trashed_at: after(0) })
  expect(await ask()).toMatchObject(notFound)
  await setRecording({ trashed_at: null, gone_at_zoom: true })
  expect(await ask()).toMatchObject(notFound)
  await setRecording({ archived_path: 'archive/a.m4a' })
  expect((await ask()).status).toBe(200)
})
