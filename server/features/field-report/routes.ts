import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { reportFileName } from '../../../shared/field-report.ts'
import type { Deps } from '../../deps.ts'
import { allow } from '../auth/guards.ts'
import * as api from './api.ts'
import { writeFieldReport } from './field-report.ts'

const LIMIT = {
  rateLimit: { max: 12 },
  tooMany: 'The report was made many times just now. Please wait a moment and try again.',
}

export const fieldReportRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'master')

    app.get('/admin/field-report', { schema: api.getFieldReport, config: LIMIT }, async () => {
      const file_name = reportFileName('server', new Date(deps.now()))
      return { success: true as const, data: { file_name, text: await writeFieldReport(deps) } }
    })
  }
