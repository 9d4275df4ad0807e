import { z } from 'zod'

/** The plain success: `{success: true, message?}`. */
export const Done = z.object({ success: z.literal(true), message: z.string().optional() })
export type Done = z.infer<typeof Done>

/** A success whose result stands under `data`. */
export const answer = <T extends z.ZodType>(data: T) => Done.extend({ data })

/** Opaque: one that cannot be ours is not found, however long. */
export const ById = z.object({ id: z.string() })

/** ISO 8601 in UTC, as every time in the API. */
export const Time = z.iso.datetime({ offset: true })
