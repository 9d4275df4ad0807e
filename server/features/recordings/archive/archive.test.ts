import { readFileSync } from 'node:fs'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Archive, Recording } from '../../../../shared/recordings.ts'
import { eventually } from '../../../../test/eventually.ts'
import { buildHost, buildMaster, call, type TestHost } from '../../../../test/factories/accounts.ts'
import { buildZoomHost, setupWithZoom } from '../../../../test/zoom/emulated-zoom.ts'
import { SYSTEM } from '../../../db/actor.ts'
import { purgeHost } from '../../hosts/purge-host.ts'
import { archiveRecordings } from './archive-recordings.ts'
import { clearOldCopies, clearParts, clearTrash } from './clear-archive.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const MIB = 1024 ** 2
const GIB = 1024 ** 3
const audio = readFileSync(new URL('../../../../emulator/audio/opening.m4a', import.meta.url))
let now = Date.parse('2026-11-21T10:00:00Z')
let host: TestHost

const server = await setupWithZoom({ now: () => now })
const origin = await server.app.listen({ port: 0, host: '127.0.0.1' })
beforeEach(async () => {
  now = Date.parse('2026-11-21T10:00:00Z')
  host = await buildZoomHost(server)
})

const addRecording = async (start_time = '2026-11-20T08:00:00Z', more: object = {}) => {
  const body = { email: host.email, start_time, duration_minutes: 4, audio: 'opening.m4a', notify: false, ...more }
  return ((await server.control('/recordings', body)).recording as { uuid: string }).uuid
}
const list = async (query = 'fetch_all=true') =>
  (await call(server, 'GET', `/recordings?${query}`, { as: host })).body.data as {
    recordings: Recording[]
    archive: Archive
  }
const sync = () => list('fetch_live=true&fetch_all=true')
const archive = () => archiveRecordings.run(server.deps)
const fault = (body: object) => server.control('/faults', body)
const rowOf = async (id: string) =>
  server.deps.db.selectFrom('recordings').selectAll().where('id', '=', id).executeTakeFirst()
const fileOf = (id: string) => join(server.deps.config.DATA_DIR, 'archive', host.id, `${id}.m4a`)
const isThere = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )
const usedBytes = async () =>
  (await server.deps.db.selectFrom('hosts').select('storage_used_bytes').where('id', '=', host.id).executeTakeFirst())
    ?.storage_used_bytes
const setHost = (set: object) => server.deps.db.updateTable('hosts').set(set).where('id', '=', host.id).execute()
const shown = async () =>
  (await call(server, 'GET', `/admin/hosts/${host.id}`, { as: await buildMaster(server) })).body.data
const read = async (row: Recording, headers: Record<string, string> = {}) => {
  const answer = await fetch(`${origin}${row.file_data.play_url}`, { headers })
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) }
}

/** Adds a recording and returns its row in the list. */
async function addListedRecording(start_time?: string, more: object = {}): Promise<Recording> {
  const uuid = await addRecording(start_time, more)
  const row = (await sync()).recordings.find(({ meeting_data }) => meeting_data.uuid === uuid)
  if (!row) throw new Error('The recording is not listed')
  return row
}

async function addArchivedRecording(start_time?: string): Promise<Recording> {
  const { id } = await addListedRecording(start_time)
  await archive()
  const row = (await list()).recordings.find((one) => one.id === id)
  if (!row?.archived) throw new Error('The recording is not archived')
  return row
}

describe('a disk without room', () => {
  const measured = (room: () => number) =>
    archiveRecordings.run({ ...server.deps, measureRoom: async () => room() * MIB + 512 * MIB })

  test('gets no copy, and the recording is copied once there is room', async () => {
    const { id } = await addListedRecording()
    await measured(() => 0)
    expect(await isThere(fileOf(id))).toBe(false)
    expect((await rowOf(id))?.archived_path).toBeNull()
    now += DAY
    await measured(() => 100)
    expect((await readFile(fileOf(id))).equals(audio)).toBe(true)
  })

  test('keeps no part of a copy that it became too full for', async () => {
    const { id } = await addListedRecording()
    await mkdir(dirname(fileOf(id)), { recursive: true })
    await writeFile(fileOf(id), audio.subarray(0, 1000))
    const rooms = [100, -1]
    await measured(() => rooms.shift() ?? 100)
    expect(rooms).toEqual([])
    expect(await isThere(fileOf(id))).toBe(false)
  })
})

describe('a completed recording', () => {
  test('is copied whole, counted, and played from the copy at any position while Zoom is down', async () => {
    const { id } = await addListedRecording()
    expect(await archive()).toBe(1)
    expect((await readFile(fileOf(id))).equals(audio)).toBe(true)
    const { recordings, archive: state } = await list()
    const [row] = recordings
    expect(row).toMatchObject({ id, archived: true, source: 'zoom_cloud' })
    expect(await usedBytes()).toBe(audio.length)
    expect(state).toEqual({ is_full: false, waiting: 0, used_gb: 0.000146, limit_gb: 5, message: null })
    expect(await archive()).toBe(0)

    await fault({ kind: 'drop', times: 0 })
    if (!row) return
    expect((await read(row)).bytes.equals(audio)).toBe(true)
    const part = await read(row, { range: 'bytes=1000-1999' })
    expect(part.status).toBe(206)
    expect(part.headers.get('content-range')).toBe(`bytes 1000-1999/${audio.length}`)
    expect(part.bytes.equals(audio.subarray(1000, 2000))).toBe(true)
    const beyond = await read(row, { range: `bytes=${audio.length}-` })
    expect(beyond.status).toBe(416)
    expect(beyond.headers.get('content-range')).toBe(`bytes */${audio.length}`)
  })

  test('outlives Zoom’s: its source becomes local, and it still plays', async () => {
    const { meeting_data } = await addArchivedRecording()
    await server.control('/recordings/batch', { email: host.email, action: 'delete', uuids: [meeting_data.uuid] })
    now += 10 * MINUTE
    const [row] = (await sync()).recordings
    expect(row).toMatchObject({ source: 'local', archived: true })
    if (row) expect((await read(row)).bytes.equals(audio)).toBe(true)
  })

  test('resumes where an interrupted copy ended', async () => {
    const { id } = await addListedRecording()
    await fault({ match: { path: '/file/*' }, kind: 'stall', times: 1 })
    const stop = new AbortController()
    const copying = archiveRecordings.run(server.deps, stop.signal)
    const size = Math.floor((audio.length - 1) / 2) + 1
    await eventually(async () => expect((await stat(fileOf(id))).size).toBe(size))
    stop.abort()
    expect(await copying).toBe(0)
    expect((await list()).recordings).toMatchObject([{ archived: false }])

    await writeFile(fileOf(id), Buffer.alloc(size, 'x')) // marks the bytes of the first attempt
    expect(await archive()).toBe(1)
    const copy = await readFile(fileOf(id))
    expect(copy.subarray(0, size).equals(Buffer.alloc(size, 'x'))).toBe(true)
    expect(copy.subarray(size).equals(audio.subarray(size))).toBe(true)
    expect(await usedBytes()).toBe(audio.length)
  })

  test('starts over where Zoom’s host does not support ranges', async () => {
    const { id } = await addListedRecording()
    await fault({ match: { path: '/file/*' }, kind: 'truncate', times: 1 })
    await archive()
    await server.control('/options', { ranges: false })
    expect(await archive()).toBe(0) // a failure is retried later
    now += 2 * MINUTE
    expect(await archive()).toBe(1)
    expect((await readFile(fileOf(id))).equals(audio)).toBe(true)
  })

  test('is counted once, and not fetched again, if the process died after the copy was complete', async () => {
    const { id } = await addListedRecording()
    await mkdir(dirname(fileOf(id)), { recursive: true })
    await writeFile(fileOf(id), audio)
    await fault({ match: { path: '/rec/*' }, kind: 'drop', times: 0 })
    expect(await archive()).toBe(1)
    expect(await usedBytes()).toBe(audio.length)
  })

  test('is incomplete if its size is not the one Zoom gave', async () => {
    const { id } = await addListedRecording()
    const file_size = audio.length + 1
    await server.deps.db.updateTable('recordings').set({ file_size }).where('id', '=', id).execute()
    expect(await archive()).toBe(0)
    expect((await list()).recordings).toMatchObject([{ archived: false }])
    expect(await usedBytes()).toBe(0)
  })

  test.each([
    ['of a host who does not record', () => setHost({ recording_enabled: false })],
    ['of a deleted host', () => setHost({ deleted_at: new Date(now) })],
    [
      'of another Zoom account than the one that is connected now',
      () => server.deps.db.updateTable('recordings').set({ zoom_user_id: 'someone' }).execute(),
    ],
    ['that is not completed', () => server.deps.db.updateTable('recordings').set({ status: 'processing' }).execute()],
    [
      'in the trash',
      () =>
        server.deps.db
          .updateTable('recordings')
          .set({ trashed_at: new Date(now) })
          .execute(),
    ],
  ])('%s is not copied', async (_which, make) => {
    await addListedRecording()
    await make()
    expect(await archive()).toBe(0)
  })

  test('has its audio copied, or its video where there is no audio', async () => {
    await addListedRecording(undefined, { video: true })
    await archive()
    const files = await server.deps.db.selectFrom('recordings').select(['file_type', 'archived_path']).execute()
    expect(files).toHaveLength(2)
    for (const { file_type, archived_path } of files) expect(archived_path !== null).toBe(file_type === 'M4A')
  })

  test('is copied once, even by several nodes', async () => {
    await addListedRecording('2026-11-19T08:00:00Z')
    await addListedRecording('2026-11-20T08:00:00Z')
    const counts = await Promise.all([archive(), archive(), archive()])
    await archive()
    expect(counts.reduce((sum, one) => sum + one)).toBeLessThanOrEqual(2)
    expect(await usedBytes()).toBe(2 * audio.length)
  })
})

describe('a full archive', () => {
  test('stops, warns both roles, loses nothing, and continues when there is room', async () => {
    const { id } = await addListedRecording()
    await setHost({ storage_used_bytes: 5 * GIB - audio.length + 1 })
    expect(await archive()).toBe(0)
    expect(await isThere(fileOf(id))).toBe(false)
    const { recordings, archive: state } = await list()
    expect(recordings).toMatchObject([{ id, archived: false, source: 'zoom_cloud' }])
    expect(state).toMatchObject({ is_full: true, waiting: 1, used_gb: 4.999854, limit_gb: 5 })
    expect(state.message).toContain('1 recording is kept at Zoom only')
    const warning = { code: 'archive_full', message: state.message }
    expect((await shown()).zoom_warnings).toContainEqual(warning)
    expect((await call(server, 'GET', '/host/profile', { as: host })).body.data.zoom_warnings).toContainEqual(warning)

    const body = { username: host.username, email: host.email, zoom_user_email: host.email, storage_limit_gb: 6 }
    await call(server, 'PUT', `/admin/hosts/${host.id}`, { as: await buildMaster(server), body })
    expect((await shown()).zoom_warnings).not.toContainEqual(warning)
    expect(await archive()).toBe(1)
  })

  test('still takes what fits', async () => {
    await addListedRecording('2026-11-20T08:00:00Z')
    const { id } = await addListedRecording('2026-11-19T08:00:00Z', { audio: 'closing.m4a' })
    await setHost({ storage_used_bytes: 5 * GIB - audio.length + 1 })
    expect(await archive()).toBe(1)
    expect((await list()).recordings).toMatchObject([{ archived: false }, { id, archived: true }])
  })
})

describe('in the trash', () => {
  const trash = ({ meeting_data }: Recording) =>
    call(server, 'DELETE', `/recordings/meetings/${encodeURIComponent(meeting_data.uuid)}/recordings`, { as: host })
  const recover = ({ meeting_data }: Recording) =>
    call(server, 'POST', `/recordings/meetings/${encodeURIComponent(meeting_data.uuid)}/recover`, { as: host })

  test('a copy is kept for 30 days, then removed with its row; its storage is free at once', async () => {
    const row = await addArchivedRecording()
    await trash(row)
    expect(await usedBytes()).toBe(0)
    now += 30 * DAY - MINUTE
    expect(await clearTrash.run(server.deps)).toBe(0)
    expect(await isThere(fileOf(row.id))).toBe(true)
    now += MINUTE
    expect(await clearTrash.run(server.deps)).toBe(1)
    expect(await isThere(fileOf(row.id))).toBe(false)
    expect(await rowOf(row.id)).toBeUndefined()
    expect(await usedBytes()).toBe(0)
  })

  test("a copy is restored with Zoom's recording, or alone where Zoom no longer has it", async () => {
    const row = await addArchivedRecording()
    await trash(row)
    expect((await recover(row)).status).toBe(200)
    expect((await list()).recordings).toMatchObject([{ id: row.id, archived: true, source: 'zoom_cloud' }])
    expect(await usedBytes()).toBe(audio.length)
    await trash(row)
    await server.control('/recordings/batch', { email: host.email, action: 'delete' })
    expect((await recover(row)).status).toBe(200)
    expect((await list()).recordings).toMatchObject([{ id: row.id, archived: true, source: 'local' }])
  })

  test('a recording that Zoom has lost moves there too, if there is a copy', async () => {
    const row = await addArchivedRecording()
    await server.control('/recordings/batch', { email: host.email, action: 'delete' })
    expect((await trash(row)).status).toBe(200)
    expect((await list()).recordings).toEqual([])
    expect(await rowOf(row.id)).toMatchObject({ gone_at_zoom: true, trashed_at: new Date(now) })
  })
})

describe('deleting a recording that only the archive has', () => {
  const remove = (id: string, as = host) => call(server, 'DELETE', `/host/recordings/${id}`, { as })

  test('moves it to the trash without calling Zoom, and can be undone', async () => {
    const row = await addArchivedRecording()
    await server.control('/recordings/batch', { email: host.email, action: 'delete' })
    now += 10 * MINUTE
    await sync()
    await fault({ kind: 'drop', times: 0 })
    expect((await remove(row.id, await buildHost(server))).status).toBe(404)
    expect(await remove(row.id)).toMatchObject({ status: 200, body: { message: 'Moved to Trash' } })
    expect((await list()).recordings).toEqual([])
    expect((await remove(row.id)).status).toBe(404)

    const path = `/recordings/meetings/${encodeURIComponent(row.meeting_data.uuid)}/recover`
    expect((await call(server, 'POST', path, { as: host })).status).toBe(200)
    expect((await list()).recordings).toMatchObject([{ id: row.id, source: 'local' }])
  })

  test('is refused for one that Zoom has, and for an unknown one', async () => {
    const row = await addArchivedRecording()
    expect(await remove(row.id)).toMatchObject({ status: 409, body: { code: 'conflict' } })
    for (const id of ['x', crypto.randomUUID()]) expect((await remove(id)).status).toBe(404)
    expect((await list()).recordings).toHaveLength(1)
  })
})

describe('RETENTION_RECORDINGS_DAYS', () => {
  const START = Date.parse('2026-11-20T08:00:00Z')
  const kept = (days?: number) => ({
    ...server.deps,
    config: { ...server.deps.config, RETENTION_RECORDINGS_DAYS: days },
  })

  test('without it copies stay', async () => {
    const { id } = await addArchivedRecording()
    now += 4_000 * DAY
    expect(await clearOldCopies.run(kept())).toBe(0)
    expect(await isThere(fileOf(id))).toBe(true)
  })

  test('removes a copy that many days after the meeting, and makes no new one', async () => {
    const { id } = await addArchivedRecording()
    now = START + 20 * DAY
    expect(await clearOldCopies.run(kept(20))).toBe(0)
    now += 1
    expect(await clearOldCopies.run(kept(20))).toBe(1)
    expect(await isThere(fileOf(id))).toBe(false)
    expect(await usedBytes()).toBe(0)
    expect(await rowOf(id)).toMatchObject({ archived_path: null, archive_started_at: null, gone_at_zoom: false })
    expect(await archiveRecordings.run(kept(20))).toBe(0)
    expect(await clearOldCopies.run(kept(20))).toBe(0)
  })

  test('removes the row too where Zoom has no such recording any more, in the trash as well', async () => {
    const [older, newer] = [await addArchivedRecording(), await addArchivedRecording('2026-11-20T09:00:00Z')]
    const { meeting_data } = older
    await call(server, 'DELETE', `/recordings/meetings/${encodeURIComponent(meeting_data.uuid)}/recordings`, {
      as: host,
    })
    await server.deps.db.updateTable('recordings').set({ gone_at_zoom: true }).execute()
    now = START + 20 * DAY + 1
    expect(await clearOldCopies.run(kept(20))).toBe(1)
    expect([await rowOf(older.id), await isThere(fileOf(older.id))]).toEqual([undefined, false])
    expect(await rowOf(newer.id)).toMatchObject({ archived_bytes: audio.length })
    expect(await usedBytes()).toBe(audio.length)
  })
})

describe('leftover copies', () => {
  test('are removed when Zoom no longer has the rest', async () => {
    const { id } = await addListedRecording()
    await fault({ match: { path: '/file/*' }, kind: 'truncate', times: 1 })
    await archive()
    expect(await clearParts.run(server.deps)).toBe(0)
    await server.deps.db.updateTable('recordings').set({ gone_at_zoom: true }).execute()
    expect(await clearParts.run(server.deps)).toBe(1)
    expect(await isThere(fileOf(id))).toBe(false)
    expect(await clearParts.run(server.deps)).toBe(0)
  })

  test('are removed with their host', async () => {
    await addArchivedRecording()
    await setHost({ deleted_at: new Date(now) })
    await purgeHost(server.deps, host.id, SYSTEM)
    expect(await readdir(join(server.deps.config.DATA_DIR, 'archive'))).not.toContain(host.id)
  })

  test('do not stop playing from Zoom when they are lost or damaged', async () => {
    const row = await addArchivedRecording()
    await writeFile(fileOf(row.id), 'damaged')
    expect((await read(row)).bytes.equals(audio)).toBe(true)
  })
})
