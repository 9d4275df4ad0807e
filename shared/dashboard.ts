import { z } from 'zod'
import { answer } from './envelope.ts'

/** Of the phone app, on the phones that have signed in to the room. */
export const AppVersions = z.object({ newest: z.string().nullable(), older: z.number().int() })
export type AppVersions = z.infer<typeof AppVersions>

export const DashboardAnswer = answer(
  z.object({
    users: z.object({ total: z.number().int(), online: z.number().int() }),
    rooms: z.object({ total: z.number().int(), active: z.number().int() }),
    recordings: z.object({ total: z.number().int() }),
    app_versions: AppVersions,
    room: z.object({ name: z.string(), is_active: z.boolean() }).optional(),
  }),
)
