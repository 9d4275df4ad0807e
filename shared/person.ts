import { z } from 'zod'
import { answer } from './envelope.ts'

export const ErasePerson = z.object({
  confirm_name: z.string().min(1).max(200).describe('The username of the user, which guards against a slip.'),
})
export type ErasePerson = z.infer<typeof ErasePerson>

/** Counts of the rows that no longer name the person. */
export const PersonRows = z.object({ stays: z.int().nonnegative(), audit_rows: z.int().nonnegative() })
export type PersonRows = z.infer<typeof PersonRows>

export const ErasePersonAnswer = answer(PersonRows)
