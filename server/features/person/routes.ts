import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { audit } from '../../db/audit-log.ts'
import type { Deps } from '../../deps.ts'
import { uuidOr404 } from '../../lib/uuid.ts'
import { MAX_FILES } from '../audit/export-limit.ts'
import { filePagesOf } from '../auth/file-pages.ts'
import { actorKeyOf, allow, signedInHost } from '../auth/guards.ts'
import * as api from './api.ts'
import { erasePerson } from './erase-person.ts'
import { personFile } from './export-person.ts'
import { findPerson, PERSON_NOT_FOUND } from './find-person.ts'

export const personExportRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'host', 'manager')

    app.get(
      '/host/users/:id/export',
      {
        schema: api.exportPerson,
        exposeHeadRoute: false,
        config: {
          needsConfirmation: true,
          rateLimit: { max: MAX_FILES, keyGenerator: actorKeyOf },
          turns: 'files',
        },
      },
      async (request, reply) => {
        const by = signedInHost(request)
        const person = await findPerson(deps.db, by.host_id, uuidOr404(request.params.id, PERSON_NOT_FOUND))
        await Promise.all([deps.stays.flush(), deps.speeches.flush(), deps.hands.flush()])
        await audit(deps, deps.db, by, { action: 'person_exported', target: person.id })
        return reply
          .type('application/json; charset=utf-8')
          .header('content-disposition', `attachment; filename="person-${person.id}.json"`)
          .send(personFile(deps, filePagesOf(deps, request), person))
      },
    )
  }

export const personErasureRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'host')

    app.post(
      '/host/users/:id/erase',
      { schema: api.erasePerson, config: { needsConfirmation: true } },
      async (request) => {
        const id = uuidOr404(request.params.id, PERSON_NOT_FOUND)
        const data = await erasePerson(deps, signedInHost(request), id, request.body.confirm_name)
        return { success: true as const, message: 'The data of this user was erased.', data }
      },
    )
  }
