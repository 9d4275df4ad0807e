import { z } from 'zod'
import { HOST_ROLES } from './auth.ts'
import { Time } from './envelope.ts'

/** A person whose console has the room's stream open, on however many pages and devices. */
export const Moderator = z.object({
  id: z.string(),
  name: z.string(),
  role: z.enum(HOST_ROLES),
  since: Time,
})
export type Moderator = z.infer<typeof Moderator>
