import type { FastifySchema } from 'fastify'
import { z } from 'zod'
import { ID } from '../../../shared/examples.ts'
import { QueueOrderAnswer, QueueOrderBody } from '../../../shared/queue-order.ts'
import {
  CleanupAnswer,
  MuteAllAnswer,
  MuteAllBody,
  NextSpeakerAnswer,
  NextSpeakerBody,
  UndoMuteAllAnswer,
  UndoMuteAllBody,
} from '../../../shared/room-users.ts'
import { TurnLimit, TurnLimitAnswer } from '../../../shared/turns.ts'
import { withExample } from '../../lib/with-example.ts'

export const muteAll = {
  tags: ['Live control'],
  operationId: 'muteAll',
  summary: 'Mute or unmute the whole room',
  description:
    "Sets or clears the room's flag and the mute of every user, including later arrivals. `targeted` counts " +
    'the phones it is for, `reachable` those that answer and have an open stream. With `except`, these users are ' +
    'left as they are, in the same act: who is speaking is not cut off. So are pinned users, named or not. Those of them who are muted stay muted. With ' +
    '`expect`, nothing happens if the flag has changed since, or if another person has muted or unmuted anybody after ' +
    'that `act`: the refusal names the `last_act`.',
  params: withExample(z.object({ action: z.enum(['mute', 'unmute']) }), { action: 'mute' }),
  body: withExample(MuteAllBody, { except: [ID.anita] }),
  response: {
    200: withExample(MuteAllAnswer, {
      success: true,
      message: 'All users muted',
      data: { targeted: 2, reachable: 1, undo: { mute_round: 7, host_mute_all_active: false }, act: '41' },
    }),
  },
  failures: ['state_changed', 'too_many', 'busy'],
} satisfies FastifySchema

export const undoMuteAll = {
  tags: ['Live control'],
  operationId: 'undoMuteAll',
  summary: 'Bring the room back to how it was before a Mute All',
  description:
    'Takes the `undo` of the answer to that Mute All. Whoever has been muted or unmuted by itself since stays so. ' +
    'Refused once the whole room has been muted or unmuted again.',
  body: withExample(UndoMuteAllBody, { mute_round: 7, host_mute_all_active: false }),
  response: {
    200: withExample(UndoMuteAllAnswer, {
      success: true,
      message: 'Mute All undone',
      data: { targeted: 2, reachable: 1, act: '42' },
    }),
  },
  failures: ['state_changed', 'too_many', 'busy'],
} satisfies FastifySchema

export const letNextSpeak = {
  tags: ['Live control'],
  operationId: 'letNextSpeak',
  summary: 'Let the first in the queue speak',
  description:
    'Unmutes the first, in the order of the room, and mutes whoever had the floor, in one act. `expect` is the queue as the caller saw it: if ' +
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
} satisfies FastifySchema

export const setTurnLimit = {
  tags: ['Live control'],
  operationId: 'setTurnLimit',
  summary: 'Limit how long a turn may take',
  description:
    'Holds for every user who gets the floor from the queue, and for the one who has it now. Consoles and the phone ' +
    'of that user count down. With `mutes`, the server mutes the user within two seconds after the end of the turn; ' +
    'without it, the turn goes on.',
  body: withExample(TurnLimit, { minutes: 5, mutes: true }),
  response: {
    200: withExample(TurnLimitAnswer, {
      success: true,
      message: 'Turn limit saved',
      data: { turn_limit: { minutes: 5, mutes: true } },
    }),
  },
  failures: ['too_many', 'busy'],
} satisfies FastifySchema

export const setQueueOrder = {
  tags: ['Live control'],
  operationId: 'setQueueOrder',
  summary: 'Order the queue of raised hands',
  description:
    'Holds for the hands that are up now, and from now on in each meeting. The list of online users has its `queue_order`, ' +
    'and the `spoken_ms` and `turns_taken` of each user by which hands are sorted; phones learn of their new place with ' +
    'their next status call.',
  body: withExample(QueueOrderBody, { queue_order: 'least_spoken' }),
  response: {
    200: withExample(QueueOrderAnswer, {
      success: true,
      message: 'Order saved',
      data: { queue_order: 'least_spoken' },
    }),
  },
  failures: ['too_many', 'busy'],
} satisfies FastifySchema

export const cleanUpStaleUsers = {
  tags: ['Live control'],
  operationId: 'cleanUpStaleUsers',
  summary: 'Set users offline whose phones have stopped sending',
  description: 'This also happens automatically after 30 s; a second call finds nothing left to do.',
  response: { 200: withExample(CleanupAnswer, { success: true, cleanedUsers: 0 }) },
} satisfies FastifySchema
