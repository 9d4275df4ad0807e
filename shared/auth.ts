import { z } from 'zod'
import { answer, Done } from './envelope.ts'
import { Host } from './hosts.ts'
import { PasskeyResponse } from './passkeys.ts'
import { FactorCode } from './second-factor.ts'
import { tooLongMessage } from './too-long-message.ts'

export const Role = z.enum(['host', 'master'])
export type Role = z.infer<typeof Role>

/** Roles of people who act for a host. A moderator runs the meeting; a manager also manages users and recordings. */
export const AssistantRole = z.enum(['manager', 'moderator'])
export type AssistantRole = z.infer<typeof AssistantRole>

/** Everybody who acts for a host in its console. */
export const HOST_ROLES = ['host', 'manager', 'moderator'] as const
export type HostRole = (typeof HOST_ROLES)[number]

/** Everybody who signs in to a console. */
export type ConsoleRole = Role | AssistantRole

/** 1,024 characters exceed any real password, yet hash quickly enough to do no harm. */
const PasswordAttempt = z.string('Password is required').min(1, 'Password is required').max(1024, tooLongMessage(1024))

export const HostLogin = z.object({
  username: z.string('Username is required').trim().min(1, 'Username is required').max(320, tooLongMessage(320)),
  password: PasswordAttempt,
})
export type HostLogin = z.infer<typeof HostLogin>

export const MasterLogin = z.object({
  email: z
    .string('Email is required')
    .trim()
    .min(1, 'Email is required')
    .max(320, tooLongMessage(320))
    .pipe(z.email('Invalid email address')),
  password: PasswordAttempt,
})
export type MasterLogin = z.infer<typeof MasterLogin>

/** The second step of a sign-in: exactly one of the factors. */
export const SecondFactorLogin = z
  .object({
    challenge: z.string('Challenge is required').min(1, 'Challenge is required').max(200, tooLongMessage(200)),
    code: FactorCode.optional(),
    recovery_code: FactorCode.optional(),
    passkey: PasskeyResponse.optional(),
  })
  .refine((shown) => [shown.code, shown.recovery_code, shown.passkey].filter((one) => one !== undefined).length === 1, {
    message: 'Send one of code, recovery_code and passkey',
    path: ['code'],
  })
export type SecondFactorLogin = z.infer<typeof SecondFactorLogin>

export const MasterUser = z.object({
  id: z.string(),
  email: z.string(),
  username: z.string(),
  full_name: z.string().nullable(),
  role: z.literal('master'),
})
export type MasterUser = z.infer<typeof MasterUser>

export const HostUser = Host.extend({ role: z.literal('host') })

/** `username` is what an assistant signs in with, such as deputy@evening-circle. */
export const AssistantUser = z.object({
  id: z.string(),
  name: z.string(),
  username: z.string(),
  role: AssistantRole,
  host: Host.pick({ id: true, user_id: true, username: true, room_name: true }),
})
export type AssistantUser = z.infer<typeof AssistantUser>

export const SessionUser = z.discriminatedUnion('role', [MasterUser, HostUser, AssistantUser])
export type SessionUser = z.infer<typeof SessionUser>

export const HostLoginAnswer = answer(
  z.object({ token: z.string(), user: z.discriminatedUnion('role', [HostUser, AssistantUser]) }),
)
export const MasterLoginAnswer = Done.extend({ token: z.string(), user: MasterUser })
/** `handed_over` means that the token came in an address and must be claimed. An absent body is read as null. */
export const VerifyBody = z.object({ handed_over: z.boolean().optional() }).nullish()
export const VerifyAnswer = Done.extend({
  user: SessionUser,
  must_add_second_factor: z.literal(true).optional(), // until then, calls beside those of the account are refused
})
export const SecondFactorLoginAnswer = Done.extend({
  token: z.string(),
  user: SessionUser,
  recovery_codes_left: z.int().min(0).optional(), // after a recovery code
})
export const ClaimAnswer = Done.extend({ token: z.string(), user: SessionUser })
