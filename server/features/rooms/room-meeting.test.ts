import { expect, test } from 'vitest'
import { buildHost, buildMaster, call, type TestHost } from '../../../test/factories/accounts.ts'
import { buildZoomHost, consent, setupWithZoom } from '../../../test/zoom/emulated-zoom.ts'
import { generatePasscode } from './generate-passcode.ts'
import { connectRoom } from './room-meeting.ts'

const server = await setupWithZoom()

interface Meeting {
  id: number
  type: number
  topic: string
  password: string
  deleted: boolean
  settings: Record<string, unknown>
}

const meetings = async () => {
  const { meetings } = await server.control('/state')
  return (meetings as Meeting[]).filter(({ type, deleted }) => type === 3 && !deleted)
}
const codesOf = (host: { zoom_warnings: { code: string }[] }) => host.zoom_warnings.map(({ code }) => code)
const edit = async (host: TestHost, body: object) =>
  (await call(server, 'PUT', `/admin/hosts/${host.id}`, { as: await buildMaster(server), body })).body.data
const writes = async () => {
  const { faults } = await server.control('/state')
  return (faults as { hits: number }[])[0]?.hits
}

test('a connected room gets an audio-only meeting, with a passcode that its host sees', async () => {
  const host = await buildZoomHost(server, { room_name: 'Morning room' })
  const [meeting] = await meetings()
  expect(meeting).toMatchObject({
    type: 3,
    topic: 'Morning room',
    settings: {
      audio: 'voip',
      host_video: false,
      participant_video: false,
      mute_upon_entry: true,
      waiting_room: false,
      join_before_host: false,
      auto_recording: 'cloud',
    },
  })
  expect(host.zoom_warnings).toEqual([])
  const room = await call(server, 'GET', '/host/room', { as: host })
  expect(room.body.data.room).toMatchObject({ zoom_meeting_id: String(meeting?.id), password: meeting?.password })
  expect(meeting?.password).toMatch(/^[A-Za-z2-9]{10}$/)
  const stored = await server.deps.db.selectFrom('rooms').selectAll().execute()
  expect(JSON.stringify(stored)).not.toContain(meeting?.password)
})

test('renaming the room or switching recording updates its meeting', async () => {
  const host = await buildZoomHost(server)
  await edit(host, { room_name: 'Evening room', recording_enabled: false })
  expect(await meetings()).toMatchObject([{ topic: 'Evening room', settings: { auto_recording: 'none' } }])
})

test('does not update an unchanged meeting, since Zoom counts updates', async () => {
  const host = await buildZoomHost(server)
  await server.control('/faults', { match: { method: 'PATCH' }, kind: 'slow', times: 0 })
  await connectRoom(server.deps, host.id)
  expect(await writes()).toBe(0)
})

test('makes a meeting that Zoom has lost again, once for any number of requests', async () => {
  const host = await buildZoomHost(server)
  const [before] = await meetings()
  await server.deps.db.updateTable('rooms').set({ zoom_meeting_id: '99999999999' }).execute()
  await Promise.all([1, 2, 3].map(() => connectRoom(server.deps, host.id)))
  const after = (await meetings()).filter(({ id }) => id !== before?.id)
  expect(after).toHaveLength(1)
  const room = await call(server, 'GET', '/host/room', { as: host })
  expect(room.body.data.room).toMatchObject({ zoom_meeting_id: String(after[0]?.id), password: after[0]?.password })
})

test('warns of settings that Zoom silently drops, until Zoom accepts them', async () => {
  const locked = { waiting_room: true, audio: 'both', auto_recording: 'none' }
  await server.control('/accounts', { email: 'ana@example.com', settings: { locked } })
  const host = await buildHost(server)
  const master = await buildMaster(server)
  await edit(host, { email: 'ana@example.com' })
  await consent(server, 'ana@example.com', { host_id: host.id, as: master })
  const shown = await call(server, 'GET', `/admin/hosts/${host.id}`, { as: master })
  expect(codesOf(shown.body.data).sort()).toEqual(['room_audio', 'room_auto_recording', 'room_waiting_room'])
  expect(shown.body.data.zoom_warnings[0].message).toMatch(/Settings > /)

  await server.control('/accounts', { email: 'ana@example.com', settings: { locked: {} } })
  expect(codesOf(await edit(host, { room_name: 'Other' }))).toEqual([])
})

test('a Basic account connects, and the room shows that it is not recorded', async () => {
  await server.control('/accounts', { email: 'bea@example.com', type: 1 })
  const host = await buildHost(server)
  await consent(server, 'bea@example.com', { host_id: host.id })
  const shown = await call(server, 'GET', `/admin/hosts/${host.id}`, { as: await buildMaster(server) })
  expect(shown.body.data.zoom_status).toBe('connected')
  expect(codesOf(shown.body.data)).toEqual(['basic_plan', 'room_auto_recording'])
})

test('creates a host even if Zoom makes no meeting, and adds the meeting later', async () => {
  const fault = { match: { path: '/v2/users/me/meetings' }, kind: 'status', status: 400, code: 3161 }
  await server.control('/faults', { ...fault, message: 'Not allowed to host.' })
  const host = await buildZoomHost(server)
  expect(host).toMatchObject({ zoom_status: 'connected', rooms: [{ zoom_meeting_id: null }] })
  expect(codesOf(host)).toEqual(['room_not_updated'])
  expect(host.zoom_warnings[0]?.message).toContain('Not allowed to host.')

  const saved = await edit(host, { room_name: 'Again' })
  expect(saved).toMatchObject({ zoom_warnings: [], rooms: [{ zoom_meeting_id: expect.any(String) }] })
})

test("shows the personal meeting, never as the room's, and never deletes it", async () => {
  const pmi = 3_542_471_135
  await server.control('/accounts', { email: 'ana@example.com', pmi })
  await server.control('/faults', { match: { method: 'DELETE' }, kind: 'slow', times: 0 })
  const host = await buildHost(server)
  await consent(server, 'ana@example.com', { host_id: host.id })
  const [meeting] = await meetings()
  const shown = await call(server, 'GET', `/admin/hosts/${host.id}`, { as: await buildMaster(server) })
  expect(shown.body.data).toMatchObject({ zoom_pmi: String(pmi), rooms: [{ zoom_meeting_id: String(meeting?.id) }] })
  expect(meeting?.id).not.toBe(pmi)
  await edit(host, { zoom_user_email: '' })
  expect(await writes()).toBe(0)
})

test('leaves a room without Zoom unchanged', async () => {
  const host = await buildHost(server)
  await connectRoom(server.deps, host.id)
  expect((await call(server, 'GET', '/host/room', { as: host })).body.data.room.zoom_meeting_id).toBeNull()
})

test('connecting another Zoom account gives the room a meeting there', async () => {
  const host = await buildZoomHost(server)
  const [before] = await meetings()
  await consent(server, 'second@example.com', { host_id: host.id })
  const room = await call(server, 'GET', '/host/room', { as: host })
  expect(room.body.data.room.zoom_meeting_id).not.toBe(String(before?.id))
  expect(await meetings()).toHaveLength(2)
})

test('every passcode has lower and upper case letters and digits, ten in all', () => {
  for (let made = 0; made < 200; made++)
    expect(generatePasscode()).toMatch(/^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)[A-Za-z2-9]{10}$/)
})
