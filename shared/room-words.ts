import { z } from 'zod'
import { Time } from './envelope.ts'
import { tooLongMessage } from './too-long-message.ts'
import { visible } from './visible.ts'

/** A word is a line that is read at a glance, not a letter. */
export const WORD_MAX = 200
/** The most users of a room on whose phones a word of their own stands. */
export const USER_WORDS_MAX = 50

/** A word as consoles see it. */
export const StandingWord = z.object({
  id: z.string(),
  user: z.object({ id: z.string(), username: z.string() }).nullable().describe('Null if it is to the whole room.'),
  text: z.string(),
  rings: z.boolean(),
  asks: z.boolean(),
  by: z.object({ id: z.string(), name: z.string() }),
  at: Time,
  read: z.int().describe('How many users have read it.'),
  of: z.int().describe('How many users are online or have read it.'),
  well: z.int().describe('How many have answered that they hear well.'),
  badly: z.int(),
})
export type StandingWord = z.infer<typeof StandingWord>

export const SendWord = z.object({
  text: z
    .string('A word is required')
    .trim()
    .min(1, 'A word is required')
    .max(WORD_MAX, tooLongMessage(WORD_MAX))
    .superRefine(visible),
  rings: z.boolean().describe('The phone rings and vibrates.'),
  asks: z.boolean().describe('The phone has two buttons, by which the user says how well the sound is.'),
  expect: z
    .object({ word: z.string().max(64).nullable() })
    .optional()
    .describe('The `id` of the word that the caller saw there, or null: refused if another one stands by now.'),
})
export type SendWord = z.infer<typeof SendWord>
