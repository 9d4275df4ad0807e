import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { NewPasscodeAnswer, RoomAnswer, RoomDetailsAnswer } from '../../../shared/rooms.ts'
import type { Deps } from '../../deps.ts'
import { TokenBuckets } from '../../lib/token-bucket.ts'
import { allow, signedInHost } from '../auth/guards.ts'
import { askNewPasscode } from './ask-new-passcode.ts'
import { findRoom } from './rooms.ts'

/** Of one host: each is a change of its meeting, of which Zoom takes a hundred a day. */
const PASSCODES = {
  burst: 5,
  perSecond: 1 / 1800,
  message: 'The passcode was changed several times just now. Please wait a while and try again.',
}

export const roomRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'host')
    const passcodes = new TokenBuckets(deps.now, PASSCODES)

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

    app.post('/host/room/passcode', { schema: { response: { 200: NewPasscodeAnswer } } }, async (request) => {
      const host = signedInHost(request)
      const changed = await askNewPasscode(deps, passcodes, host, request.ip)
      const message = changed
        ? 'The meeting has a new passcode'
        : 'Zoom does not take a new passcode now. It is set as soon as Zoom does, once the meeting is over.'
      return { success: true as const, message, data: { changed } }
    })
  }
