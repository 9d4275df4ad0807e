import type { FastifySchema } from 'fastify'
import { BackupAnswer } from '../../../shared/system.ts'
import { withExample } from '../../lib/with-example.ts'

export const startBackup = {
  tags: ['Operation'],
  operationId: 'startBackup',
  summary: 'Make a backup now',
  description:
    'Begins a backup in the folder of the scheduled ones, and does not wait for its end, which `GET /admin/system` ' +
    'shows. `conflict` while one is asked for or being made, and where `BACKUP_TO` is not set. Six times a minute.',
  response: {
    200: withExample(BackupAnswer, { success: true, data: { id: '3f2b1c0a-9d8e-4f7a-8b6c-5d4e3f2a1b0c' } }),
  },
  failures: ['conflict'],
} satisfies FastifySchema
