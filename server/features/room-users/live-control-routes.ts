import type { preHandlerAsyncHookHandler } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { ID } from '../../../shared/examples.ts'
import {
  CleanupAnswer,
  DeliveryAnswer,
  MuteAllAnswer,
  MuteAllBody,
  NextSpeakerAnswer,
  NextSpeakerBody,
  UndoMuteAllBody,
} from '../../../shared/room-users.ts'
import type { Deps } from '../../deps.ts'
import { TokenBuckets } from '../../lib/token-bucket.ts'
import { withExample } from '../../lib/with-example.ts'
import { allow, signedInHost } from '../auth/guards.ts'
import { muteAll } from './mute-all.ts'
import { letNextSpeak } from './next-speaker.ts'
import { undoMuteAll } from './undo-mute-all.ts'

/** Each concerns up to 10,000 users at once. Enough for a host who presses back and forth. */
const ROOM_LIMIT = {
  name: 'acts on a room',
  burst: 60,
  perSecond: 1,
  message: 'Too many requests. Please wait a moment and try again.',
}

export const liveControlRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'host')
    const actions = new TokenBuckets(deps, ROOM_LIMIT)
    const limit: preHandlerAsyncHookHandler = async (request) => actions.take(signedInHost(request).host_id)

    app.post(
      '/host/trigger-bulk-mute/:action',
      {
        schema: {
          tags: ['Live control'],
          operationId: 'muteAll',
          summary: 'Mute or unmute the whole room',
          description:
            "Sets or clears the room's flag and the mute of every user, including later arrivals. `targeted` counts " +
            'the phones it is for, `reachable` those that answer and have an open stream. With `except`, these users are ' +
            'left as they are, in the same act: who is speaking is not cut off. One of them who is muted stays muted. With ' +
            '`expect`, nothing happens if the flag has changed since.',
          params: withExample(z.object({ action: z.enum(['mute', 'unmute']) }), { action: 'mute' }),
          body: withExample(MuteAllBody, { except: [ID.anita] }),
          response: {
            200: withExample(MuteAllAnswer, {
              success: true,
              message: 'All users muted',
              data: { targeted: 2, reachable: 1, undo: { mute_round: 7, host_mute_all_active: false } },
            }),
          },
          failures: ['state_changed', 'too_many', 'busy'],
        },
        preHandler: limit,
      },
      async (request) => {
        const active = request.params.action === 'mute'
        const except = active ? request.body?.except : undefined
        const expected = request.body?.expect?.host_mute_all_active
        const data = await muteAll(deps, signedInHost(request), { active, except, expected }, request.ip)
        return { success: true as const, message: active ? 'All users muted' : 'All users unmuted', data }
      },
    )

    app.post(
      '/host/undo-mute-all',
      {
        schema: {
          tags: ['Live control'],
          operationId: 'undoMuteAll',
          summary: 'Bring the room back to how it was before a Mute All',
          description:
            'Takes the `undo` of the answer to that Mute All. Whoever has been muted or unmuted by itself since stays so. ' +
            'Refused once the whole room has been muted or unmuted again.',
          body: withExample(UndoMuteAllBody, { mute_round: 7, host_mute_all_active: false }),
          response: {
            200: withExample(DeliveryAnswer, {
              success: true,
              message: 'Mute All undone',
              data: { targeted: 2, reachable: 1 },
            }),
          },
          failures: ['state_changed', 'too_many', 'busy'],
        },
        preHandler: limit,
      },
      async (request) => {
        const data = await undoMuteAll(deps, signedInHost(request), request.body, request.ip)
        return { success: true as const, message: 'Mute All undone', data }
      },
    )

    app.post(
      '/host/next-speaker',
      {
        schema: {
          tags: ['Live control'],
          operationId: 'letNextSpeak',
          summary: 'Let the first in the queue speak',
          description:
            'Unmutes the first and mutes whoever had the floor, in one act. `expect` is the queue as the caller saw it: if ' +
            'it has changed since, nothing happens, so two consoles that go on together let one user speak.',
          body: withExample(NextSpeakerBody, {
            expect: { next: ID.anita, wants_to_speak_at: '2026-11-20T12:00:00.000Z', floor_user_id: ID.ravi },
          }),
          response: {
            200: withExample(NextSpeakerAnswer, {
              success: true,
              message: 'User unmuted',
              data: { targeted: 2, reachable: 2, speaker: ID.anita, muted: ID.ravi },
            }),
          },
          failures: ['state_changed', 'busy'],
        },
      },
      async (request) => {
        const data = await letNextSpeak(deps, signedInHost(request), request.ip, request.body?.expect)
        return { success: true as const, message: 'User unmuted', data }
      },
    )

    app.post(
      '/host/cleanup-stale-users',
      {
        schema: {
          tags: ['Live control'],
          operationId: 'cleanUpStaleUsers',
          summary: 'Set users offline whose phones have stopped sending',
          description: 'This also happens automatically after 30 s; a second call finds nothing left to do.',
          response: { 200: withExample(CleanupAnswer, { success: true, cleanedUsers: 0 }) },
        },
        config: { rateLimit: { max: 120 } },
      },
      async (request) => {
        const { host_id } = signedInHost(request)
        const room = await deps.rooms.of(host_id)
        return { success: true as const, cleanedUsers: await room.sweep() }
      },
    )
  }
