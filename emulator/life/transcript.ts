import { createHash } from 'node:crypto'

/** `spoken` are sentences of this meeting, each said once, among those that any meeting could have. */
type Talk = {
  seed: string
  seconds: number
  speakers: readonly string[]
  spoken: readonly string[]
  /** Says who speaks when, in seconds; by default, the speakers take turns by chance. */
  turns?: readonly Turn[]
}
type Turn = { speaker: string; from: number; to: number }

const OPENING = 'Good evening, and welcome. Please keep your microphone closed until you are called.'
const CLOSING = 'That is our time for tonight. Thank you, and good night.'
const SENTENCES = [
  'Thank you, I can hear you well.',
  'Let me repeat the question for those who joined late.',
  'I read that page twice, and I am still not sure about the second part.',
  'Could you say a little more about that?',
  'My line was gone for a moment. Where did we stop?',
  'In our house we begin with the youngest, and the others listen.',
  'I wrote it down so that I would not forget it.',
  'What my mother used to say is much the same.',
  'That is a good place to pause and think.',
  'I would put it differently, but I agree.',
  'Who else would like to say something about this?',
  'We spoke about this in the spring as well.',
  'It takes patience, and most of us have less than we believe.',
  'Please go on, you have another minute.',
  'I am calling from work, so I will be brief.',
  'The next name on the list is yours.',
  'Listening is the harder half of it.',
  'There is a short passage that answers this better than I can.',
  'I had not thought of it in that way.',
  'Let us hear one more voice before we go on.',
  'Some of you asked for the notes. Pierre keeps them.',
  'We come back to this next week.',
  'I have tried it for a month now, every morning.',
  'It did not work for me at first.',
]

/** Writes a transcript as Zoom does: numbered cues, each with the speaker's name. The same talk has the same words. */
export function writeTranscript({ seed, seconds, speakers, spoken, turns = [] }: Talk): string {
  const next = numbersOf(seed)
  const own = [...spoken]
  const cues: string[] = []
  let speaker = speakers[0] ?? 'Host'
  let turn = 2
  for (let at = 1; at < seconds; ) {
    const now = turns.find(({ to }) => to - 1 > at)
    if (turns.length > 0 && !now) break
    if (now) {
      at = Math.max(at, now.from)
      speaker = now.speaker
    } else if (turn-- === 0) {
      speaker = speakers[Math.floor(next() * speakers.length)] ?? speaker
      turn = 1 + Math.floor(next() * 4)
    }
    const isOwn = own.length > 0 && cues.length > 1 && cues.length % 5 === 0
    const sentence =
      cues.length === 0 ? OPENING : (isOwn && own.shift()) || SENTENCES[Math.floor(next() * SENTENCES.length)]
    const words = at + 12 >= seconds && cues.length > 2 ? CLOSING : sentence
    const end = Math.min(seconds, now?.to ?? seconds, at + 2 + next() * 4)
    cues.push(`${cues.length + 1}\r\n${clock(at)} --> ${clock(end)}\r\n${speaker}: ${words}\r\n`)
    if (words === CLOSING) break
    at = end + 0.3 + next() * 2
  }
  return `WEBVTT\r\n\r\n${cues.join('\r\n')}`
}

function clock(seconds: number) {
  return new Date(Math.round(seconds * 1000)).toISOString().slice(11, 23)
}

/** Returns a source of numbers from 0 to 1, always the same ones for a seed. */
function numbersOf(seed: string) {
  let drawn = 0
  return () => createHash('sha256').update(`${seed} ${drawn++}`).digest().readUInt32BE() / 2 ** 32
}
