import type { Readable } from 'node:stream'
import { z } from 'zod'

/** The answer of a call that streams an export as a file, whose example begins with the time. */
export function jsonFileAnswer(example: object) {
  const schema = z.custom<Readable>().meta({
    type: 'object',
    description: 'The file, which is sent as an attachment.',
    examples: [{ exported_at: '2026-11-20T12:00:00.000Z', ...example }],
  })
  return { 200: { content: { 'application/json': { schema } } } }
}
