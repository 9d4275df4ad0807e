import { z } from 'zod'

/** Changes of an account that its owner hears of. */
export const SecurityChange = z.enum([
  'password_changed',
  'password_reset',
  'password_set',
  'totp_added',
  'totp_removed',
  'passkey_added',
  'passkey_removed',
  'recovery_codes_made',
  'recovery_code_used',
  'second_factor_reset',
])
export type SecurityChange = z.infer<typeof SecurityChange>

const Time = z.iso.datetime()
const link = { url: z.string(), expires_at: Time }

/** Facts, kept until the mail is sent. The letter is made of them then. */
export const MailContent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('host_reset'), username: z.string(), removes_second_factor: z.boolean(), ...link }),
  z.object({ kind: z.literal('master_invite'), full_name: z.string().nullable(), made_by: z.string(), ...link }),
  z.object({ kind: z.literal('subscription_ends'), username: z.string(), ends_at: Time }),
  z.object({ kind: z.literal('archive_full'), username: z.string(), waiting: z.int(), limit_gb: z.number() }),
  z.object({ kind: z.literal('zoom_reconnect'), username: z.string(), zoom_email: z.string() }),
  z.object({
    kind: z.literal('meeting_not_ready'),
    username: z.string(),
    starts_at: Time,
    time_zone: z.string(),
    problems: z.array(z.object({ title: z.string(), advice: z.string() })),
  }),
  z.object({ kind: z.literal('backup_failed'), reason: z.string(), at: Time }),
  z.object({
    kind: z.literal('security_changed'),
    change: SecurityChange,
    account: z.string(),
    site: z.enum(['host', 'master']),
    at: Time,
    ip: z.string().nullable(),
  }),
  z.object({ kind: z.literal('test'), account: z.string() }),
])
export type MailContent = z.infer<typeof MailContent>
