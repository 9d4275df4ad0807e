import type { z } from 'zod'

/** Adds an example for the API's document. The example of a path or query has one value for each parameter. */
export function withExample<T extends z.ZodType>(schema: T, example: z.input<T>): T {
  return schema.meta({ examples: [example] })
}
