import { z } from 'zod'
import { answer } from './envelope.ts'

/** The answer of a phone to a word that asks how well its user hears. */
export const Hearing = z.enum(['well', 'badly'])
export type Hearing = z.infer<typeof Hearing>

/** A word as a phone shows it: at most one to the room and one to its user. */
export const PhoneWord = z.object({
  id: z.string(),
  to: z.enum(['room', 'user']),
  text: z.string(),
  rings: z.boolean(),
  asks: z.boolean(), // how well the user hears
  answer: Hearing.nullable(),
})
export type PhoneWord = z.infer<typeof PhoneWord>

/** `as_of` orders what a phone learns of its words from its stream and from its calls. */
export const PhoneWords = z.object({ as_of: z.string(), list: z.array(PhoneWord) })
export type PhoneWords = z.infer<typeof PhoneWords>

/** The event: the word that stands from now on in this place; null if none does. */
export const WordEvent = z.object({
  as_of: z.string(),
  to: PhoneWord.shape.to,
  user_id: z.string().optional(), // of a word to one user
  word: PhoneWord.nullable(),
})
export type WordEvent = z.infer<typeof WordEvent>

/** A body without an answer, or none, says that the word has been read. It then leaves the phone. */
export const ConfirmWord = z.object({ answer: Hearing.optional() }).nullish()
export const ConfirmWordAnswer = answer(z.object({ words: PhoneWords }))
