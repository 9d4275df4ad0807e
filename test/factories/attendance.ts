import { expect } from 'vitest'
import { AttendanceAnswer } from '../../shared/attendance.ts'
import type { TestServer } from '../servers/start.ts'
import { call, openSession, type TestHost, type TestPhone } from './accounts.ts'

/** Reads it in a new session of the host, since attendance tests let days pass. */
export async function readAttendance(server: TestServer, host: TestHost, query = '') {
  const as = { token: await openSession(server, host.id) }
  const { status, body } = await call(server, 'GET', `/host/attendance?${query}`, { as })
  expect(status).toBe(200)
  return AttendanceAnswer.parse(body).data
}

export const sendStatus = (server: TestServer, phone: TestPhone) =>
  call(server, 'POST', '/mobile/status', { as: phone })

/** Advances the clock by `ms`, with a status call of each phone at least every 25 s. */
export async function stayOnline(server: TestServer, clock: { now: number }, ms: number, ...phones: TestPhone[]) {
  for (const end = clock.now + ms; clock.now < end; ) {
    clock.now = Math.min(end, clock.now + 25_000)
    for (const phone of phones) await sendStatus(server, phone)
  }
}
