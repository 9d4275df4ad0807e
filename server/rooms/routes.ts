import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { RoomAnswer, RoomDetailsAnswer } from '../../shared/rooms.ts'
import { allow, signedInHost } from '../auth/guards.ts'
import type { Deps } from '../deps.ts'
import { findRoom } from './rooms.ts'

export const roomRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'host')

    app.get(
      '/host/room',
      { schema: { response: { 200: RoomAnswer } }, config: { background: true } },
      async (request) => ({
        success: true as const,
        data: { room: await findRoom(deps, signedInHost(request)) },
      }),
    )

    app.get(
      '/host/details',
      { schema: { response: { 200: RoomDetailsAnswer } }, config: { background: true } },
      async (request) => {
        const { room_id, room_name } = await findRoom(deps, signedInHost(request))
        return { success: true as const, room_id, room_name }
      },
    )
  }
