import { z } from 'zod'

/** The plain success: `{success: true, message?}`. */
export const Done = z.object({ success: z.literal(true), message: z.string().optional() })
export type Done = z.infer<typeof Done>

/** A success whose result stands under `data`. */
export const answer = <T extends z.ZodType>(data: T) => Done.extend({ data })

export const ById = z.object({ id: z.string().min(1).max(64) })

/** ISO 8601 in UTC, as every time in the API. */
export const Time = z.iso.datetime({ offset: true })
