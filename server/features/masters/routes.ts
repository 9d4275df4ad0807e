import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Deps } from '../../deps.ts'
import { uuidOr404 } from '../../lib/uuid.ts'
import { allow, signedInMaster } from '../auth/guards.ts'
import * as api from './api.ts'
import { cancelInvitation, inviteMaster } from './invitations.ts'
import { listInvitations, listMasters } from './list-masters.ts'
import { mailInvitation } from './mail-invitation.ts'
import { removeMaster } from './remove-master.ts'

export const masterRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'master')

    app.get('/admin/masters', { schema: api.listMasters }, async (request) => {
      const masters = await listMasters(deps, signedInMaster(request).id)
      return { success: true as const, data: { masters, invitations: await listInvitations(deps.db, deps.now()) } }
    })

    app.post(
      '/admin/masters/invitations',
      {
        schema: api.inviteMaster,
        config: {
          needsConfirmation: true,
          keepsNoAnswer: true,
          rateLimit: { max: 60 },
          tooMany: 'Too many links were made. Please wait a moment and try again.',
        },
      },
      async (request) => {
        const { email, full_name, send_mail } = request.body
        const by = signedInMaster(request)
        const person = { email, full_name: full_name || null }
        const data = await inviteMaster(deps, by, person, async (tx, link) =>
          send_mail ? mailInvitation(deps, tx, by, { ...person, link }) : false,
        )
        return { success: true as const, data }
      },
    )

    app.delete(
      '/admin/masters/invitations/:id',
      { schema: api.cancelInvitation, config: { needsConfirmation: true } },
      async (request) => {
        await cancelInvitation(deps, signedInMaster(request), uuidOr404(request.params.id, 'Invitation not found'))
        return { success: true as const, message: 'Invitation cancelled' }
      },
    )

    app.delete(
      '/admin/masters/:id',
      { schema: api.removeMaster, config: { needsConfirmation: true } },
      async (request) => {
        const id = uuidOr404(request.params.id, 'Master not found')
        const email = await removeMaster(deps, signedInMaster(request), id)
        return { success: true as const, message: `Master ${email} removed` }
      },
    )
  }
