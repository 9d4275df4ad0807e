import { z } from 'zod'
import { answer, Time } from './envelope.ts'

/** `npm run doctor` prints them in this order. */
export const CHECK_NAMES = [
  'settings',
  'version',
  'database',
  'migrations',
  'redis',
  'disk',
  'data-dir',
  'clock',
  'names',
  'certificate',
  'zoom-app',
  'zoom-hosts',
  'webhook',
  'sdk',
  'mail',
  'backup',
  'key',
] as const
export type CheckName = (typeof CHECK_NAMES)[number]

/** `note` says that something is off or was not asked; `problem` needs the operator soon. */
export const CheckStatus = z.enum(['ok', 'note', 'warn', 'problem'])
export type CheckStatus = z.infer<typeof CheckStatus>

export const SystemCheck = z.object({
  name: z.enum(CHECK_NAMES),
  status: CheckStatus,
  message: z.string(),
  advice: z.string().nullable(),
})
export type SystemCheck = z.infer<typeof SystemCheck>

/** `commit` is null where it is not known. A host in trouble needs its master, as for a Zoom account to connect again. */
export const SystemReport = z.object({
  version: z.string(),
  commit: z.string().nullable(),
  previous_version: z.string().nullable(),
  started_at: Time,
  nodes: z.int(),
  checks: z.array(SystemCheck),
  checked_at: Time,
  backup: z.object({
    is_on: z.boolean(),
    to: z.string().nullable(),
    last_success_at: Time.nullable(),
    last_error: z.string().nullable(),
    next_at: Time.nullable(),
    kept: z.int(),
    is_running: z.boolean(),
  }),
  mail: z.object({ is_on: z.boolean(), waiting: z.int(), last_error: z.string().nullable() }),
  hosts_in_trouble: z.array(z.object({ host_id: z.string(), username: z.string(), problem: z.string() })),
})
export type SystemReport = z.infer<typeof SystemReport>
export const SystemAnswer = answer(SystemReport)

/** `id` is that of the act in the audit. */
export const BackupAnswer = answer(z.object({ id: z.uuid() }))

/** `answer` is what the mail server said, or why it was not reached. */
export const TestMail = z.object({ accepted: z.boolean(), answer: z.string() })
export type TestMail = z.infer<typeof TestMail>
export const TestMailAnswer = answer(TestMail)
