import { z } from 'zod'
import { answer } from './envelope.ts'

export const DashboardAnswer = answer(
  z.object({
    users: z.object({ total: z.number().int(), online: z.number().int() }),
    rooms: z.object({ total: z.number().int(), active: z.number().int() }),
    recordings: z.object({ total: z.number().int() }),
    room: z.object({ name: z.string(), is_active: z.boolean() }).optional(),
  }),
)
