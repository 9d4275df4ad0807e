import { z } from 'zod'

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
