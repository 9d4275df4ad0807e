import type { FastifySchema } from 'fastify'
import { host, NOON } from '../../../shared/examples.ts'
import { SystemAnswer, TestMailAnswer } from '../../../shared/system.ts'
import { withExample } from '../../lib/with-example.ts'

const tags = ['Operation']
const Answer = withExample(SystemAnswer, {
  success: true,
  data: {
    version: '0.1.0',
    commit: 'abc1234',
    previous_version: null,
    started_at: '2026-11-01T06:00:00.000Z',
    nodes: 3,
    checks: [
      {
        name: 'certificate',
        status: 'warn',
        message: 'It ends in 12 days.',
        advice: 'See that it is renewed.',
      },
    ],
    checked_at: NOON,
    backup: {
      is_on: true,
      to: '/mnt/backups',
      last_success_at: NOON,
      last_error: null,
      next_at: '2026-11-21T12:00:00.000Z',
      kept: 18,
      is_running: false,
    },
    mail: { is_on: false, waiting: 0, last_error: null },
    hosts_in_trouble: [{ host_id: host.id, username: host.username, problem: 'Zoom has to be connected again.' }],
  },
})

export const getSystem = {
  tags,
  operationId: 'getSystem',
  summary: 'Get what the installation says of itself',
  description:
    'The checks of `npm run doctor`, as this server found them within the last ten minutes, with its versions, its ' +
    'backups, and up to 100 hosts that need a master. No secret is among them.',
  response: { 200: Answer },
} satisfies FastifySchema

export const checkSystem = {
  tags,
  operationId: 'checkSystem',
  summary: 'Check the installation now',
  description: 'Answers within 15 seconds, whatever hangs. Six times a minute.',
  response: { 200: Answer },
} satisfies FastifySchema

export const sendTestMail = {
  tags,
  operationId: 'sendTestMail',
  summary: 'Send a test mail to yourself',
  description:
    'Sends one mail now, and returns what the mail server said within 12 seconds. `conflict` while mail is off. Six ' +
    'times a minute.',
  response: {
    200: withExample(TestMailAnswer, { success: true, data: { accepted: true, answer: '250 2.0.0 Ok: queued' } }),
  },
  failures: ['conflict'],
} satisfies FastifySchema
