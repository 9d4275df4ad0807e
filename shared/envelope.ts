import { z } from 'zod'

/** The plain success: `{success: true, message?}`. */
export const Done = z.object({ success: z.literal(true), message: z.string().optional() })
export type Done = z.infer<typeof Done>

/** A success with its result under `data`. */
export const answer = <T extends z.ZodType>(data: T) => Done.extend({ data })

/** Ids are opaque: a malformed one is just not found, whatever its length. */
export const ById = z.object({ id: z.string() })

/** ISO 8601 in UTC, like every time in the API. */
export const Time = z.iso.datetime({ offset: true })
