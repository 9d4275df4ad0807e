import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, readdir } from 'node:fs/promises'
import { afterEach, expect, test } from 'vitest'
import { HostLoginAnswer } from '../../shared/auth.ts'
import { MeetingListAnswer } from '../../shared/meetings.ts'
import { call } from '../../shared/phone/call.ts'
import { RecordingsAnswer } from '../../shared/recordings.ts'
import { OnlineUsersAnswer } from '../../shared/room-users.ts'
import { SAMPLE_HOSTS } from '../../simulator/sample-logins.ts'
import { eventually } from '../eventually.ts'
import { freePort } from '../servers/free-port.ts'
import { emptyDataFolder } from '../servers/server-process.ts'

const PHONES = 36
const IN_ZOOM_ONLY = ['computer', 'computer', 'computer', 'computer', 'phone', 'phone']

let demo: ChildProcess | null = null
let printed = ''
afterEach(() => void demo?.kill('SIGKILL')) // its child processes notice that it is gone

/** Returns the first group of a matching line of the demo's output. */
const printedLine = (line: RegExp) =>
  eventually(() => {
    const found = line.exec(printed)
    if (!found) throw new Error(`The demo has not printed ${line}: ${printed}`)
    return found[1] ?? ''
  })

test('the demo with two servers works at one address, also when one of them is killed, and leaves nothing', async () => {
  const [port, zoom] = [await freePort(), await freePort()]
  const folder = await emptyDataFolder()
  await chmod(folder.path, 0o711) // PostgreSQL's own user must be able to traverse it
  const env = { ...process.env, TMPDIR: folder.path, PORT: String(port), ZOOM_EMULATOR_PORT: String(zoom) }
  demo = spawn(process.execPath, ['demo/main.ts', '--nodes', '2'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  for (const stream of [demo.stdout, demo.stderr])
    stream?.on('data', (text: Buffer) => {
      printed += text
    })
  const pid = await printedLine(/later: {2}kill -9 (\d+)/)

  const api = `http://127.0.0.1:${port}/api`
  const login = await call(HostLoginAnswer, 'POST', `${api}/auth/host/login`, { body: SAMPLE_HOSTS.circle })
  const { token } = login.data
  const expectAllOnline = () =>
    eventually(async () => {
      const { data, out_of_step } = await call(OnlineUsersAnswer, 'GET', `${api}/host/online-users`, { token })
      expect([data.users.length, out_of_step], printed).toEqual([PHONES, undefined])
    })
  await expectAllOnline()
  await eventually(async () => {
    const { participants } = await (await fetch(`http://127.0.0.1:${zoom}/_emulator/sound`)).json()
    const guests = participants.filter(({ customerKey }: { customerKey: string }) => customerKey === '')
    expect(guests.map(({ audio }: { audio: string }) => audio).toSorted()).toEqual(IN_ZOOM_ONLY)
  })
  const { recordings } = (await call(RecordingsAnswer, 'GET', `${api}/recordings?fetch_all=true`, { token })).data
  const play = new URL(recordings[0]?.file_data.play_url ?? '', api)
  const part = await fetch(play, { headers: { range: 'bytes=100-199' } })
  expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 100])

  const { meetings } = (await call(MeetingListAnswer, 'GET', `${api}/host/meetings`, { token })).data
  expect(meetings.length).toBeGreaterThan(8) // of three weeks

  process.kill(Number(pid), 'SIGKILL')
  expect(await printedLine(/all \d+ event streams are open again: (.*)\./)).toBe(`${PHONES} on Node 1`)
  await expectAllOnline()
  await printedLine(/(Node 2 is back, as process \d+)/)

  demo.kill('SIGINT')
  expect(await once(demo, 'exit')).toEqual([0, null])
  expect(await readdir(folder.path)).toEqual([])
  await folder.remove()
})
