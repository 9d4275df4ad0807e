import type { FastifySchema } from 'fastify'
import { ById, Done } from '../../../shared/envelope.ts'
import { ID, phoneWords, roomWord } from '../../../shared/examples.ts'
import { ConfirmWord, ConfirmWordAnswer } from '../../../shared/phone-words.ts'
import { WordSentAnswer } from '../../../shared/room-users.ts'
import { SendWord } from '../../../shared/room-words.ts'
import { withExample } from '../../lib/with-example.ts'

const tags = ['Live control']

const sentTo = (phones: number) => ({ word: ID.word, targeted: phones, reachable: 1 })
const FAILURES = ['room_stopped', 'state_changed', 'too_many', 'busy'] as const

export const sendWordToRoom = {
  tags,
  operationId: 'sendWordToRoom',
  summary: 'Put a word on every phone of the room',
  description:
    'A short line, which stands on each phone, also of users who come later, until its user has read it or it is taken back. ' +
    'It takes the place of the word before, and goes when the meeting ends or the room has been empty for half an hour. ' +
    'Twenty words at once, then one every three seconds. With `expect`, it is refused if another word stands there by now.',
  body: withExample(SendWord, { text: roomWord.text, rings: true, asks: true }),
  response: { 200: withExample(WordSentAnswer, { success: true, message: 'Word sent', data: sentTo(2) }) },
  failures: FAILURES,
} satisfies FastifySchema

export const sendWordToUser = {
  tags,
  operationId: 'sendWordToUser',
  summary: 'Put a word on the phone of one user',
  description:
    '`targeted` is 0 while the user is not online, who finds it later. Otherwise as a word to the room, beside which it stands. Words of their own stand on the phones of 50 users at most: the oldest one ' +
    'that was read makes place for another.',
  params: withExample(ById, { id: ID.anita }),
  body: withExample(SendWord, { text: 'Please move to a quieter place', rings: true, asks: false }),
  response: { 200: withExample(WordSentAnswer, { success: true, message: 'Word sent', data: sentTo(1) }) },
  failures: ['not_found', 'conflict', ...FAILURES],
} satisfies FastifySchema

export const takeWordBack = {
  tags,
  operationId: 'takeWordBack',
  summary: 'Take a word back',
  description: 'It leaves the phones on which it has not been read. A word that was replaced is not found.',
  params: withExample(ById, { id: ID.word }),
  response: { 200: withExample(Done, { success: true, message: 'Word taken back' }) },
  failures: ['not_found', 'too_many', 'busy'],
} satisfies FastifySchema

export const confirmWord = {
  tags: ['Phones'],
  operationId: 'confirmWord',
  summary: 'Confirm a word of the host',
  description:
    'Without a body, the user has read it, and it leaves this phone. With `answer`, to a word that asks, it has been read too, but stays, so that ' +
    'the user can change the answer: the last one counts. A word that was taken back or replaced is not found. A repeat ' +
    'changes nothing. Returns the words that the phone then shows.',
  params: withExample(ById, { id: ID.word }),
  body: withExample(ConfirmWord, { answer: 'well' }),
  response: { 200: withExample(ConfirmWordAnswer, { success: true, data: { words: phoneWords } }) },
  failures: ['not_found', 'conflict', 'too_many'],
} satisfies FastifySchema
