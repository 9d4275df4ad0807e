import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { ID, room } from '../../../shared/examples.ts'
import { NewPasscodeAnswer, RoomAnswer, RoomDetailsAnswer } from '../../../shared/rooms.ts'
import type { Deps } from '../../deps.ts'
import { TokenBuckets } from '../../lib/token-bucket.ts'
import { withExample } from '../../lib/with-example.ts'
import { allow, signedInHost } from '../auth/guards.ts'
import { changePasscodeNow } from './change-passcode.ts'
import { findRoom } from './rooms.ts'

const tags = ['Profile']

/** The limit per host: each change counts against Zoom's 100 meeting updates a day. */
const PASSCODES = {
  name: 'passcodes',
  burst: 5,
  perSecond: 1 / 1800,
  message: 'The passcode was changed several times just now. Please wait a while and try again.',
}

export const roomRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'host')
    const passcodes = new TokenBuckets(deps, PASSCODES)

    app.get(
      '/host/room',
      {
        schema: {
          tags,
          operationId: 'getRoom',
          summary: "Get the host's room",
          description:
            'Whether its meeting is running and being recorded is what Zoom reported last. Does not keep an idle session ' +
            'alive.',
          response: { 200: withExample(RoomAnswer, { success: true, data: { room } }) },
        },
        config: { background: true, turns: 'database' },
      },
      async (request) => ({
        success: true as const,
        data: { room: await findRoom(deps, signedInHost(request)) },
      }),
    )

    app.get(
      '/host/details',
      {
        schema: {
          tags,
          operationId: 'getRoomDetails',
          summary: "Get the room's id and name",
          response: {
            200: withExample(RoomDetailsAnswer, { success: true, room_id: ID.room, room_name: room.room_name }),
          },
        },
        config: { background: true, turns: 'database' },
      },
      async (request) => {
        const { room_id, room_name } = await findRoom(deps, signedInHost(request))
        return { success: true as const, room_id, room_name }
      },
    )

    app.post(
      '/host/room/passcode',
      {
        schema: {
          tags,
          operationId: 'setNewPasscode',
          summary: "Change the passcode of the room's meeting",
          description:
            'People in the meeting stay in it; phones get the new passcode with their next ticket, the console with the ' +
            'room. `changed` is false if Zoom did not accept it: then it is tried again after the meeting. The passcode ' +
            'also changes automatically after a user is deleted, deactivated or switched.',
          response: {
            200: withExample(NewPasscodeAnswer, {
              success: true,
              message: 'The meeting has a new passcode',
              data: { changed: true },
            }),
          },
          failures: ['room_not_connected', 'too_many'],
        },
      },
      async (request) => {
        const host = signedInHost(request)
        const changed = await changePasscodeNow(deps, passcodes, host, request.ip)
        const message = changed
          ? 'The meeting has a new passcode'
          : 'Zoom does not take a new passcode now. It is set as soon as Zoom does, once the meeting is over.'
        return { success: true as const, message, data: { changed } }
      },
    )
  }
