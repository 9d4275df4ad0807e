import { AttendanceAnswer } from '../../../../shared/attendance.ts'
import { AuditAnswer, type AuditEntry } from '../../../../shared/audit.ts'
import type { RoomUser } from '../../../../shared/room-users.ts'
import type { Calls } from '../call.ts'
import { anita, host, ID, ravi } from '../examples.ts'

const entry: AuditEntry = {
  id: '1042',
  at: '2026-11-20T11:59:45.000Z',
  actor: { role: 'host', id: ID.host, name: host.username },
  host_id: ID.host,
  host_name: host.username,
  action: 'user_mute',
  target: { id: ID.anita, name: 'anita' },
  ip: '203.0.113.7',
  before: { is_muted: false },
  after: { is_muted: true },
}

const JOINED = '2026-11-20T11:30:00.000Z'
const who = ({ id, user_id, username, reference }: RoomUser) => ({ id, user_id, username, reference })

const parameters = {
  action: { example: 'user_mute' },
  actor: { example: 'host', description: 'A role, or the id of a master, a host or a room user.' },
  from: { example: '2026-11-01', description: 'A day in UTC, or a moment.' },
  to: { example: '2026-11-20', description: 'A day counts as a whole.' },
  limit: { example: 50 },
  before: { example: '1043', description: 'The `next` of the page before.' },
  format: { example: 'json', description: '`csv` gives all that matches as a file, in place of JSON.' },
}

const answer = { success: true, data: { entries: [entry], next: null } }

export const recordCalls: Calls = {
  'GET /admin/audit': {
    tag: 'Records',
    name: 'listAudit',
    summary: 'List who did what',
    description: 'Newest first. `next` is the `before` of the page that follows.',
    parameters: { ...parameters, host_id: { example: ID.host } },
    answer,
    schemas: { answer: AuditAnswer },
  },
  'GET /host/audit': {
    tag: 'Records',
    name: 'listOwnAudit',
    summary: 'List who did what in the own room',
    description: 'Newest first. What a master did is shown, not which master, nor from where.',
    parameters,
    answer,
    schemas: { answer: AuditAnswer },
  },
  'GET /host/attendance': {
    tag: 'Records',
    name: 'getAttendance',
    summary: 'See who was there, and for how long',
    description:
      'Days in UTC, both included, 366 at most; without them today. Counts the time for which a phone was online within ' +
      'these days. `format=csv` gives a file of one table in place of JSON.',
    parameters: {
      from: { example: '2026-11-01' },
      to: { example: '2026-11-20' },
      format: { example: 'json' },
      table: { example: 'users', description: 'Which table the file holds: each user once, or each stay.' },
    },
    answer: {
      success: true,
      data: {
        from: '2026-11-01',
        to: '2026-11-20',
        attendance: [{ ...who(anita), first_joined: JOINED, last_left: null, total_seconds: 1800, visits: 1 }],
        absent: [who(ravi)],
        stays: [
          { id: ID.anita, user_id: 'U000001', username: 'anita', joined_at: JOINED, left_at: null, seconds: 1800 },
        ],
        stays_total: 1,
      },
    },
    schemas: { answer: AttendanceAnswer },
  },
}
