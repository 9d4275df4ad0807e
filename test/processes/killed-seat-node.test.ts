import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { SharedServices } from '../../demo/shared-services.ts'
import { StreamSession } from '../../shared/rooms.ts'
import type { SeatReport } from '../../shared/seat.ts'
import { addZoomHost, roomOf } from '../e2e/support/zoom-host.ts'
import { SEAT_STATE, seen } from '../factories/seat.ts'
import { freePort } from '../servers/free-port.ts'
import { http, type ServerProcess, startServerProcess } from '../servers/server-process.ts'
import { openStream } from '../servers/stream.ts'

let nodes: [ServerProcess, ServerProcess]
beforeAll(async () => {
  const [port, other] = [await freePort(), await freePort()]
  const services = new SharedServices(() => {})
  const { settings } = await services.start({ PATH: process.env.PATH, ZOOM_EMULATOR_PORT: '0' }, port)
  const start = (own: number) => {
    const given = Object.entries({ ...settings, HOST_SEAT: 'on', PORT: String(own) })
    return startServerProcess(Object.fromEntries(given.map(([name, value = '']) => [name, value])))
  }
  nodes = await Promise.all([start(port), start(other)])
  return async () => {
    await Promise.all(nodes.map((node) => node.kill('SIGKILL')))
    await services.stop()
  }
}, 60_000)

test('a server is killed with the seat at it: the seat goes on at another, and no order is lost or shown as done', async () => {
  const [a, b] = nodes
  const host = await addZoomHost(a)
  const ask = async (node: ServerProcess, method: string, path: string, body?: unknown) =>
    http(node, method, path, { token: host.token, body })
  const seat_id = randomUUID()
  const taken = await ask(b, 'POST', '/host/seat', { seat_id, as: 'host' })
  expect(taken.status).toBe(200)
  const { epoch } = taken.body.data.lease
  let seq = 0
  const report = (node: ServerProcess, fields: Partial<SeatReport> = {}) =>
    ask(node, 'PUT', '/host/seat', { seat_id, epoch, seq: seq++, state: SEAT_STATE, ...fields })
  const list = async () => (await ask(a, 'GET', '/host/attendees')).body.data
  expect((await report(b, { full: true, attendees: [seen('Lee'), seen('Kim')] })).status).toBe(200)
  await expect.poll(async () => (await list()).attendees.length).toBe(2)

  const session = await ask(a, 'POST', '/mobile/sse-session', { room_id: (await roomOf(a, host)).room_id })
  const console = await openStream(`http://127.0.0.1:${a.port}${StreamSession.parse(session.body).sseUrl}`)
  const settled = () => console.received.filter(({ name }) => name === 'command-settled')
  const ordered = await ask(b, 'POST', '/host/attendees/key-Lee/mute')
  const { command_id } = ordered.body.data
  await console.next('seat-command', { id: command_id }) // the other server has it
  await b.kill('SIGKILL')

  const next = await report(a)
  expect([next.status, next.body.data.commands]).toMatchObject([200, [{ id: command_id, do: 'mute', key: 'key-Lee' }]])
  const { seat, attendees } = await list()
  expect([seat.state, attendees.map(({ name }: { name: string }) => name)]).toEqual(['in', ['Lee', 'Kim']])
  expect(settled()).toEqual([])
  await report(a, { attendees: [seen('Lee', { muted: true })], done: [{ id: command_id, outcome: 'done' }] })
  expect((await console.next('command-settled')).data).toMatchObject({ outcome: 'done', by: 'seat' })
  expect(settled()).toHaveLength(1)
  console.close()
})
