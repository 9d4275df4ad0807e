import { z } from 'zod'
import { answer, Done, Time } from './envelope.ts'
import { PhoneAudio, PhoneMicrophone } from './mobile.ts'
import { Moderator } from './moderators.ts'
import { PASSWORD_IS_NOT_NAME } from './password-rule.ts'
import { FIRST_COME, QueueOrder } from './queue-order.ts'
import { RoomAct } from './room-act.ts'
import { StandingWord } from './room-words.ts'
import { tooLongMessage } from './too-long-message.ts'
import { NO_TURN_LIMIT, TurnLimit } from './turns.ts'
import { GroupIds, GroupNames, UserGroup } from './user-groups.ts'
import { refuseMixedAlphabets, visible } from './visible.ts'

/** S: stopped, C: its phone was changed and no new one has signed in yet. */
export const RoomUserStatus = z.enum(['S', 'C', 'Online', 'Active'])
export type RoomUserStatus = z.infer<typeof RoomUserStatus>

export const PendingCommand = z.object({
  id: z.string(),
  type: z.enum(['mute', 'unmute', 'mute-all', 'unmute-all', 'logout', 'deactivate']),
})
export type PendingCommand = z.infer<typeof PendingCommand>

export const RoomUser = z.object({
  id: z.string(),
  user_id: z.string(), // the U000001 that the host hands out
  username: z.string(),
  reference: z.string().nullable(),
  group_ids: z.array(z.string()).default([]), // of the list's `groups`
  email: z.string().nullable(),
  is_online: z.boolean(),
  asleep: z.boolean(), // online, but its phone does not respond
  is_active: z.boolean(),
  last_seen: Time.nullable(),
  login_time: Time.nullable(),
  platform: z.string().nullable(),
  device_id: z.string().nullable(),
  device_model: z.string().nullable(),
  app_version: z.string().nullable(),
  status: RoomUserStatus,
  is_speaking: z.boolean(),
  speaking_since: Time.nullable(), // a short pause does not reset it; null while not speaking
  is_muted: z.boolean(), // by the host; the phone's own microphone is speaker_on
  is_pinned: z.boolean().default(false), // Mute All leaves this user as it is
  speaker_on: z.boolean(),
  wants_to_speak: z.boolean(),
  wants_to_speak_at: Time.nullable(),
  asked_to_speak: z.boolean().default(false), // by the host; true until the microphone is on
  audio: PhoneAudio.nullable().default(null).catch(null), // null: not reported, or a later release's value
  microphone: PhoneMicrophone.nullable().default(null), // null: not reported by the app
  zoom_code: z.number().nullable().default(null), // why Zoom refused the phone
  spoken_ms: z.int().default(0), // in the meeting under way, as far as it is known
  turns_taken: z.int().default(0), // in that meeting, from the queue of raised hands
  in_meeting: z.boolean().nullable(), // in the Zoom meeting itself; null if the room has no Zoom
  pending_command: PendingCommand.nullable(), // until the phone acknowledges it
})
export type RoomUser = z.infer<typeof RoomUser>

/** The rules of an edit: unchanged fields may be older than the rules for new names. */
const KEPT = {
  username: z.string('Username is required').trim().min(1, 'Username is required').max(64, tooLongMessage(64)),
  user_id: z
    .string('User ID is required')
    .trim()
    .min(1, { error: 'User ID is required', abort: true })
    .min(3, 'User ID must be 3 to 32 characters')
    .max(32, 'User ID must be 3 to 32 characters'),
  reference: z.string().trim().max(200, tooLongMessage(200)),
}
const NEW = {
  username: KEPT.username.superRefine(visible).superRefine(refuseMixedAlphabets),
  user_id: KEPT.user_id.superRefine(visible).superRefine(refuseMixedAlphabets),
  reference: KEPT.reference.superRefine(visible),
}
export const USER_PASSWORD_MIN = 4
/** The rule for new passwords; older, shorter ones stay valid. */
const UserPassword = z
  .string('Password is required')
  .min(1, { error: 'Password is required', abort: true })
  .min(USER_PASSWORD_MIN, `Password must be at least ${USER_PASSWORD_MIN} characters`)
  .max(256, tooLongMessage(256))

export const AddRoomUser = z
  .object({
    username: NEW.username,
    user_id: NEW.user_id,
    password: UserPassword,
    reference: NEW.reference.nullish(),
    group_ids: GroupIds.optional(),
  })
  .refine(...PASSWORD_IS_NOT_NAME)
export type AddRoomUser = z.infer<typeof AddRoomUser>

const SeenNames = z.object({
  username: z.string().max(64),
  user_id: z.string().max(32),
  reference: z.string().max(200).nullable(),
  group_ids: z.array(z.string().max(64)).max(100).optional(),
})

export const EditRoomUser = z
  .object({
    username: KEPT.username,
    user_id: KEPT.user_id,
    password: z.union([z.literal(''), UserPassword]).nullish(), // blank keeps the current one
    reference: KEPT.reference.nullish(),
    group_ids: GroupIds.optional(),
    expect: SeenNames.optional(), // the user as the caller saw it; else 409 state_changed
  })
  .refine(...PASSWORD_IS_NOT_NAME)
export type EditRoomUser = z.infer<typeof EditRoomUser>

/** The rules for the fields that an edit changes. */
export const EditedRoomUserFields = z.object(NEW).extend({ reference: NEW.reference.nullable() }).partial()

/** The most users of one import: a call blocks the room while it adds them, and must complete within 15 s. */
export const IMPORT_LIMIT = 500
export const ImportedRoomUser = z
  .object({
    username: NEW.username,
    user_id: NEW.user_id,
    password: UserPassword,
    reference: NEW.reference.nullish(),
    groups: GroupNames.nullish(),
  })
  .refine(...PASSWORD_IS_NOT_NAME)
export type ImportedRoomUser = z.infer<typeof ImportedRoomUser>

export const ImportRoomUsers = z.object({
  users: z
    .array(ImportedRoomUser, 'Please add a user first')
    .min(1, 'Please add a user first')
    .max(IMPORT_LIMIT, `At most ${IMPORT_LIMIT} users at a time`),
  import_id: z.uuid().optional().describe('The same in all calls of one list: the log shows them as one import.'),
})
export type ImportRoomUsers = z.infer<typeof ImportRoomUsers>

/** `index` is the position in the submitted list. */
export const ImportOutcome = z.object({
  added: z.array(z.object({ index: z.number().int(), id: z.string(), user_id: z.string() })),
  failed: z.array(z.object({ index: z.number().int(), path: z.string(), message: z.string() })),
})
export type ImportOutcome = z.infer<typeof ImportOutcome>
export const ImportAnswer = answer(ImportOutcome)

export const RoomUsersAnswer = answer(
  z.object({
    users: z.array(RoomUser),
    next_user_id: z.string(),
    groups: z.array(UserGroup).default([]).describe('All groups of the room, by name.'),
    total: z.number().int().optional(), // the number of matches, for a filtered list
  }),
)
export type RoomUsersAnswer = z.infer<typeof RoomUsersAnswer>

/** All are optional. Without any, this is the polled list; with one of them the answer includes `total`. */
export const RoomUsersQuery = z.object({
  search: z
    .string()
    .max(100)
    .optional()
    .describe('A part of the username, the User ID or the reference, in any case and Unicode form.'),
  status: RoomUserStatus.optional(),
  group: z.string().max(64).optional().describe('The `id` of a group: the users in it.'),
  limit: z.coerce.number().int().min(1).max(1000).optional(),
  offset: z.coerce.number().int().min(0).max(1_000_000).optional(),
})
export type RoomUsersQuery = z.output<typeof RoomUsersQuery>
export const RoomUserAnswer = answer(z.object({ user: RoomUser }))
export const OneRoomUserAnswer = answer(
  z.object({
    user: RoomUser,
    groups: z.array(UserGroup).default([]).describe('All groups of the room, by name.'),
    word: StandingWord.nullable().default(null).describe('The word to this user, if one stands.'),
  }),
)
export const OnlineUsersAnswer = answer(z.object({ users: z.array(RoomUser) })).extend({
  host_mute_all_active: z.boolean(),
  last_act: RoomAct.nullable().default(null).describe('The last act that changed who is muted, and who did it.'),
  moderators: z
    .array(Moderator)
    .default([])
    .describe('Who has a console with an open stream, the caller too. Another server tells it within 5 s.'),
  floor_user_id: z
    .string()
    .nullable()
    .default(null)
    .describe('The `id` of the user who was let speak last from the queue, until that user is muted.'),
  floor_since: Time.nullable().default(null).describe('When that user was let speak.'),
  turn_limit: TurnLimit.default(NO_TURN_LIMIT),
  queue_order: QueueOrder.default(FIRST_COME).catch(FIRST_COME), // or a later release's order
  groups: z.array(UserGroup).default([]).describe('All groups of the room, by name.'),
  words: z
    .array(StandingWord)
    .default([])
    .describe('The words of the host that stand. The confirmations of a crowd come within half a second.'),
  out_of_step: z
    .literal(true)
    .optional()
    .describe('Present while the server cannot reach the others: users who are connected to those may be missing.'),
})
export type OnlineUsersAnswer = z.infer<typeof OnlineUsersAnswer>

/** The most users of one call; duplicates count once. */
export const BULK_LIMIT = 500

/** Counts the phones that a command targets, and those of them that are awake with an open stream. */
export const Delivery = z.object({ targeted: z.number().int(), reachable: z.number().int() })
export type Delivery = z.infer<typeof Delivery>
export const DeliveryAnswer = answer(Delivery)
export const WordSentAnswer = answer(Delivery.extend({ word: z.string().describe('Its `id`.') }))

/** `except` lists users whom Mute All skips. An absent body is read as null. */
export const MuteAllBody = z
  .object({
    except: z
      .array(z.string().min(1).max(64))
      .max(BULK_LIMIT, `At most ${BULK_LIMIT} users at a time`)
      .optional()
      .describe('The `id`s of users to leave as they are. Only for `mute`.'),
    lock: z
      .boolean()
      .optional()
      .describe("Mute All holds in Zoom's own app too, while a console has the host's seat. Default: the last choice."),
    expect: z
      .object({
        host_mute_all_active: z.boolean().optional().describe('The flag as the caller saw it.'),
        act: z
          .string()
          .max(64)
          .optional()
          .describe('The last act that the caller saw: it must still be the last, but for own acts.'),
      })
      .optional()
      .describe('If it does not hold, nothing happens: 409 `state_changed`, with `last_act`.'),
  })
  .nullish()

/** Identifies one Mute All, with the room's flag before it. */
export const UndoMuteAllBody = z.object({ mute_round: z.number().int(), host_mute_all_active: z.boolean() })
export type UndoMuteAll = z.infer<typeof UndoMuteAllBody>
export const UndoMuteAllAnswer = answer(Delivery.extend({ act: z.string() }))
export const MuteAllAnswer = answer(
  Delivery.extend({
    act: z.string().describe('Identifies this act, for the `expect` of later ones.'),
    in_zoom: z
      .int()
      .nullable()
      .optional()
      .describe('How many open microphones in Zoom the seat mutes; null without a seat. Only for `mute`.'),
    undo: UndoMuteAllBody.nullable()
      .default(null)
      .describe('What `POST /host/undo-mute-all` takes; null if there is nothing to undo.'),
  }),
)

/** A user's state as the caller saw it. Omitted fields may have changed. */
export const SeenUser = z
  .object({
    is_muted: z.boolean(),
    is_active: z.boolean(),
    host_mute_all_active: z.boolean().describe("The room's flag."),
    wants_to_speak_at: Time.nullable(),
    device_id: z.string().max(256).nullable(),
    username: z.string().max(64),
    user_id: z.string().max(32),
    reference: z.string().max(200).nullable(),
  })
  .partial()
export type SeenUser = z.infer<typeof SeenUser>

/** An absent body is read as null. */
export const ActOnUserBody = z.object({ expect: SeenUser.optional() }).nullish()

const SeenQueue = z.object({
  next: z.string().max(64).describe('The `id` of the first in the queue.'),
  wants_to_speak_at: Time.nullable().describe('When that user raised the hand; null if it is not known.'),
  floor_user_id: z.string().max(64).nullable().describe('Who was let speak before, as `GET /host/online-users` says.'),
})
export type SeenQueue = z.infer<typeof SeenQueue>

/** An absent body is read as null. */
export const NextSpeakerBody = z.object({ expect: SeenQueue.optional() }).nullish()
export const NextSpeakerAnswer = answer(
  Delivery.extend({ speaker: z.string(), muted: z.string().nullable().describe('Who had the floor before.') }),
)

export const CredentialsAnswer = answer(
  z.object({ host_id: z.string(), user_id: z.string(), username: z.string(), password: z.string() }),
)

export const CleanupAnswer = Done.extend({ cleanedUsers: z.number().int() })

/** A teacher or two, not a room that Mute All no longer silences. */
export const PINNED_MAX = 50

export const USER_ACTIONS = [
  'activate',
  'deactivate',
  'delete',
  'logout',
  'mute',
  'unmute',
  'lower-hand',
  'pin',
  'unpin',
  'switch',
] as const
export const UserAction = z.enum(USER_ACTIONS)
export type UserAction = z.infer<typeof UserAction>

/** A moderator may do these to users, since they concern the running meeting. Hosts and managers may do all. */
export const MODERATOR_ACTIONS: readonly UserAction[] = ['mute', 'unmute', 'lower-hand', 'pin', 'unpin', 'logout']

export const BulkUsers = z.object({
  userIds: z
    .array(z.string().min(1).max(64), 'Please select users first')
    .min(1, 'Please select users first')
    .max(BULK_LIMIT, `At most ${BULK_LIMIT} users at a time`),
})
export const ActOnUsers = BulkUsers.extend({
  expect: z
    .record(z.string().max(64), SeenUser)
    .optional()
    .describe('What was seen of each user, by `id`. A user that has changed since stays as it is.'),
})
export const BulkOutcome = Delivery.extend({
  succeeded: z.array(z.string()),
  failed: z.array(z.object({ id: z.string(), code: z.string(), message: z.string() })),
})
export type BulkOutcome = z.infer<typeof BulkOutcome>
export const BulkAnswer = answer(BulkOutcome)

const CredentialsPurpose = z
  .enum(['copy', 'cards'])
  .optional()
  .describe('What a person does with them in the console. The audit log keeps it.')
/** An absent body is read as null. */
export const CredentialsBody = z.object({ purpose: CredentialsPurpose }).nullish()
export const RevealCredentials = BulkUsers.extend({ purpose: CredentialsPurpose })

/** Results are in the order of the request. */
export const CredentialsOfManyAnswer = answer(
  z.object({
    host_id: z.string(),
    room_name: z.string(),
    app_title: z.string().nullable(), // as the phones display it
    credentials: z.array(z.object({ id: z.string(), user_id: z.string(), username: z.string(), password: z.string() })),
    failed: BulkOutcome.shape.failed,
  }),
)
export type CredentialsOfMany = z.infer<typeof CredentialsOfManyAnswer>['data']
