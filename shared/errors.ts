import { z } from 'zod'
import { Time } from './envelope.ts'
import { PhoneFailure } from './phone/failure.ts'
import { RoomAct } from './room-act.ts'
import { SecondStepNeeded } from './second-factor.ts'

/** Every error code that callers may see, with its HTTP status. */
export const statusOf = {
  malformed: 400,
  wrong_credentials: 400,
  link_invalid: 400,
  second_factor_wrong: 400,
  challenge_expired: 400,
  not_signed_in: 401, // the console signs out on 401, so nothing but a bad session may use it
  bad_signature: 401, // only Zoom's webhook address, which the console never calls
  not_allowed: 403,
  second_factor_needed: 403, // the password was right; the sign-in goes on at `/auth/second-factor`
  second_factor_required: 403, // the account must add one first
  confirm_needed: 403, // the same call succeeds after a confirmation
  subscription_cancelled: 403,
  subscription_inactive: 403,
  room_stopped: 403,
  user_inactive: 403,
  device_mismatch: 403,
  zoom_reconnect: 403,
  feature_off: 403,
  not_found: 404,
  conflict: 409,
  state_changed: 409,
  last_master: 409,
  room_not_connected: 409,
  host_not_present: 409,
  meeting_not_live: 409,
  recording_off: 409,
  zoom_storage_full: 409,
  seat_taken: 409, // another console has it: `by` and `since`
  seat_lost: 409,
  seat_out_of_step: 409, // a report is missing: the next one has the whole list
  no_seat: 409,
  no_power: 409,
  too_large: 413,
  not_json: 415,
  not_multipart: 415,
  misdirected: 421,
  invalid_input: 422,
  idempotency_key_reused: 422,
  too_many: 429,
  internal: 500,
  zoom_unavailable: 502,
  not_ready: 503,
  busy: 503,
} as const

export type ErrorCode = keyof typeof statusOf

/** Ways to show again who one is. */
export const ConfirmMethod = z.enum(['password', 'passkey'])
export type ConfirmMethod = z.infer<typeof ConfirmMethod>

export const Failure = PhoneFailure.extend({
  confirm: z.object({ methods: z.array(ConfirmMethod) }).optional(), // `confirm_needed`
  second_factor: SecondStepNeeded.optional(), // `second_factor_needed`
  attempts_left: z.int().min(0).optional(), // `second_factor_wrong`, at a sign-in
  by: z.string().optional(), // `seat_taken`: who has the seat
  since: Time.optional(), // `seat_taken`
  last_act: RoomAct.nullable().optional(), // `state_changed`: who acted on the room last
  request_id: z.string().optional(),
})
export type Failure = z.infer<typeof Failure>
