import { z } from 'zod'
import { answer, Time } from './envelope.ts'
import { tooLongMessage } from './too-long-message.ts'
import { visible } from './visible.ts'

/** `last_active_at` is null for one who has no session of the last 30 days. */
export const Master = z.object({
  id: z.string(),
  email: z.string(),
  full_name: z.string().nullable(),
  created_at: Time,
  last_active_at: Time.nullable(),
  has_second_factor: z.boolean(),
  is_you: z.boolean(),
})
export type Master = z.infer<typeof Master>

/** `made_by` is the email of a master; null for a command on the server. */
export const MasterInvitation = z.object({
  id: z.string(),
  email: z.string(),
  made_by: z.string().nullable(),
  created_at: Time,
  expires_at: Time,
})
export type MasterInvitation = z.infer<typeof MasterInvitation>

export const MastersAnswer = answer(z.object({ masters: z.array(Master), invitations: z.array(MasterInvitation) }))
export type MastersAnswer = z.infer<typeof MastersAnswer>

export const InviteMaster = z.object({
  email: z
    .string('Email is required')
    .trim()
    .min(1, 'Email is required')
    .max(320, tooLongMessage(320))
    .pipe(z.email('Invalid email address')),
  full_name: z.string().trim().max(100, tooLongMessage(100)).superRefine(visible).nullish(),
  send_mail: z.boolean().default(false),
})

export const InvitationAnswer = answer(z.object({ invitation: MasterInvitation, url: z.string(), mailed: z.boolean() }))
