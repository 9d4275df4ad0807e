import type { RouteOptions } from 'fastify'
import { type ErrorCode, statusOf } from '../../../shared/errors.ts'
import { asksRequiredFactor } from '../../features/auth/guards.ts'
import { turnsOf } from '../turns.ts'

/** The description of each code, and the message of its example. */
const MEANING: Record<ErrorCode, string> = {
  malformed: 'The request cannot be parsed: invalid JSON or an invalid URL.',
  wrong_credentials: 'The name or the password is wrong; the answer does not say which.',
  link_invalid: 'This link has been used or has run out. Please ask for a new one.',
  second_factor_wrong: 'The code is wrong, too old or was used before.',
  challenge_expired: 'The sign-in took longer than five minutes, has failed five times, or is over: sign in again.',
  not_signed_in: 'There is no token, or its session has ended: `reason` says why, if it is known. Sign in again.',
  bad_signature: 'The signature is wrong or too old.',
  not_allowed: 'The token is valid, but its role may not make this call.',
  second_factor_needed:
    'The password was right, and the account has a second factor: `second_factor` has the challenge for `POST /auth/second-factor`.',
  second_factor_required:
    'This account must have a second factor and has none: until it adds one, only `/account` and signing out answer.',
  confirm_needed:
    'The session was not confirmed lately: confirm it with `POST /account/confirm`, then repeat the call.',
  subscription_cancelled: 'The subscription of the host was cancelled.',
  subscription_inactive: 'The subscription of the host has expired, or there is none.',
  room_stopped: 'The host has stopped its room.',
  user_inactive: 'The host has deactivated this user.',
  device_mismatch: 'This account is linked to another phone. Ask your host to switch it.',
  zoom_reconnect: 'Zoom authorization failed. Please reconnect Zoom and try again.',
  feature_off: 'This feature is not turned on.',
  not_found: 'It does not exist, or belongs to another host: the answer is the same.',
  conflict:
    'It conflicts with the current state: a name is taken, or the first call with this Idempotency-Key is still running.',
  last_master: 'This is the last master. Invite another one first.',
  state_changed: 'This has changed in the meantime. Please check again.',
  room_not_connected: 'Zoom is not connected for this room.',
  host_not_present: 'The host is not in the meeting yet, or its presence is unknown.',
  meeting_not_live: 'The meeting is not running.',
  recording_off: 'Recording is off for this host, or its Zoom account cannot record to the cloud.',
  zoom_storage_full: "Zoom's cloud storage is full.",
  seat_taken: "Another console has the host's seat: `by` and `since` say whose, and since when.",
  seat_lost: "This console no longer has the host's seat.",
  seat_out_of_step: 'A report of the seat is missing. Send the whole list next.',
  no_seat: "Nobody has the host's seat, so people in Zoom's app can neither be seen nor muted.",
  no_power: "The host's seat is in the meeting without the powers of a host or co-host.",
  too_large: 'The body is larger than 1 MiB; 64 KiB from a phone, 16 KiB before sign-in.',
  not_json: 'The body is not JSON, or its content type is not.',
  not_multipart: 'The body is not multipart/form-data.',
  misdirected: 'The hostname of the request does not belong to this installation.',
  invalid_input: 'At least one field is invalid; `errors` names each.',
  idempotency_key_reused: 'This Idempotency-Key was used for another call.',
  too_many: 'Too many attempts. `Retry-After` says when to try again.',
  internal: 'Something went wrong on our side. `request_id` finds it in the log.',
  zoom_unavailable: 'Zoom could not be reached, or failed.',
  not_ready: 'The database cannot be reached right now. Please try again.',
  busy: 'Too many sign-ins, calls of this account, changes of this room or calls to Zoom are queued. Please try again.',
}

const ERROR_CODES = Object.keys(MEANING).filter((code): code is ErrorCode => code in MEANING)

/** Lists all failures of a route by status: those that follow from the route, and those that its schema names. */
export function failuresOf({
  method,
  url,
  schema,
  config,
}: Pick<RouteOptions, 'method' | 'url' | 'schema' | 'config'>) {
  const isSignedIn = !config?.access?.includes('public')
  const isChange = method !== 'GET'
  const codes: ErrorCode[] = ['misdirected', 'not_ready', 'internal', ...(schema?.failures ?? [])]
  if (isSignedIn) codes.push('not_signed_in', 'not_allowed')
  if (asksRequiredFactor(url, config?.access ?? [])) codes.push('second_factor_required')
  if (config?.rateLimit) codes.push('too_many')
  if (isSignedIn && turnsOf(config) !== 'none') codes.push('busy')
  if (isChange) codes.push('too_large')
  if (isChange && !codes.includes('not_multipart')) codes.push('not_json')
  if (isChange || schema?.params || schema?.querystring) codes.push('malformed')
  if (isChange && isSignedIn && !config?.background) codes.push('too_many')
  if (isChange && isSignedIn && !config?.background && !config?.isNeverReplayed)
    codes.push('conflict', 'idempotency_key_reused')
  if (config?.needsConfirmation) codes.push('confirm_needed')
  if (schema?.body || schema?.querystring || schema?.params) codes.push('invalid_input')
  if (schema?.params) codes.push('not_found')
  const inOrder = ERROR_CODES.filter((code) => codes.includes(code))
  return Map.groupBy(inOrder, (code) => statusOf[code])
}

/** Names the component, such as `NotFound` or `ConflictOrStateChanged`. */
export function failureName(codes: readonly ErrorCode[]): string {
  return codes.map(pascalCase).join('Or')
}

/** Builds the response for codes of one status, with an example of each. */
export function failureAnswer(codes: readonly ErrorCode[]) {
  const lines = codes.map((code) => `\`${code}\`: ${MEANING[code]}`)
  const examples = Object.fromEntries(codes.map((code) => [code, { summary: MEANING[code], value: example(code) }]))
  const isLater = codes.some((code) => [429, 503].includes(statusOf[code]) || code === 'host_not_present')
  return {
    description: lines.join('\n\n'),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' }, examples } },
    ...(isLater && { headers: { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } } }),
  }
}

const pascalCase = (code: string) => code.replaceAll(/(?:^|_)(\w)/g, (_all, letter: string) => letter.toUpperCase())

function example(code: ErrorCode) {
  const message = MEANING[code].replaceAll('`', '')
  if (code === 'internal') return { success: false, message, code, request_id: '6f1c2b9a-0d3e-4c57-9b1e-2f8a7d40c6e5' }
  if (code === 'confirm_needed') return { success: false, message, code, confirm: { methods: ['password'] } }
  if (code !== 'invalid_input') return { success: false, message, code }
  const msg = 'Username is required'
  return { success: false, message: msg, code, errors: [{ path: 'username', msg }] }
}
