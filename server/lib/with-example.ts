import type { z } from 'zod'

/** The schema with an example for the API's document; that of a path or a query holds one value for each parameter. */
export function withExample<T extends z.ZodType>(schema: T, example: z.input<T>): T {
  return schema.meta({ examples: [example] })
}
