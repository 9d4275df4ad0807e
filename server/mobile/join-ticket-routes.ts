import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { JoinTicketAnswer } from '../../shared/mobile.ts'
import { allow, signedInPhone } from '../auth/guards.ts'
import type { Deps } from '../deps.ts'
import { joinTicket } from './join-ticket.ts'
import { JoinTicketLimit } from './join-ticket-limit.ts'

export const joinTicketRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'phone')
    const limit = new JoinTicketLimit(deps.now)

    app.post('/mobile/join-ticket', { schema: { response: { 200: JoinTicketAnswer } } }, async (request) => {
      const { host_id, room_user_id } = signedInPhone(request)
      limit.take(room_user_id ?? host_id)
      return { success: true as const, data: await joinTicket(deps, { host_id, room_user_id }) }
    })
  }
