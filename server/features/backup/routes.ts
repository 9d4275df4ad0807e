import { randomUUID } from 'node:crypto'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { audit } from '../../db/audit-log.ts'
import { requireOpenSession } from '../../db/open-session.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { allow, signedInMaster } from '../auth/guards.ts'
import * as api from './api.ts'
import { askForBackup, makeScheduledBackup } from './jobs.ts'

export const backupRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'master')

    app.post('/admin/backups', { schema: api.startBackup, config: { rateLimit: { max: 6 } } }, async (request) => {
      if (!deps.config.BACKUP_TO) throw new AppError('conflict', 'There is no folder for backups: set BACKUP_TO.')
      const master = signedInMaster(request)
      const id = randomUUID()
      await deps.db.transaction().execute(async (tx) => {
        await requireOpenSession(tx, master.session_id)
        if (!(await askForBackup(tx, deps.now()))) throw new AppError('conflict', 'A backup is being made already.')
        await audit(deps, tx, master, { id, action: 'backup_asked' })
      })
      deps.jobs.wake(makeScheduledBackup)
      return { success: true as const, data: { id } }
    })
  }
