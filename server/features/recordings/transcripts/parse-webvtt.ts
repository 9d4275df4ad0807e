import { cutToVisible } from '../../../../shared/visible.ts'

export interface Cue {
  start_ms: number
  end_ms: number
  speaker: string
  words: string
}

interface Parsed {
  cues: Cue[]
  /** The beginning of what could not be read: the end of the line before it. */
  skipped_at_ms: number | null
}

export const MAX_CUES = 20_000
const MAX_SPEAKER = 80
const MAX_WORDS = 2_000
const DAY_MS = 86_400_000
const TIMES =
  /^(?:(\d{2,3}):)?([0-5]\d):([0-5]\d)\.(\d{3})[ \t]+-->[ \t]+(?:(\d{2,3}):)?([0-5]\d):([0-5]\d)\.(\d{3})(?:[ \t]|$)/
/** Zoom begins each line with the speaker's name, if it knows whose it is. */
const NAMED = /^([^:\n]{1,200}): +(?=\S)/
const VOICE = /^<v(?:\.[^ \t>]*)?[ \t]+([^>\n]{1,200})>/
/** Control characters, and those that turn the direction of what follows. */
const CONTROLS = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', nbsp: ' ', lrm: '', rlm: '', quot: '"' }

/** Reads what is sound of a WebVTT file, and says where something was not. Returns null if it is no such file. */
export function parseWebVtt(file: string): Parsed | null {
  const text = file
    .replace(/^\uFEFF/, '')
    .replaceAll('\0', '\uFFFD')
    .replaceAll(/\r\n?/g, '\n')
  if (!/^WEBVTT(?:[ \t\n]|$)/.test(text)) return null
  const [, ...blocks] = text.split(/\n{2,}/)
  const cues: Cue[] = []
  let skipped_at_ms: number | null = null
  for (const block of blocks) {
    const lines = block.replace(/^\n+|\n+$/g, '').split('\n')
    const [first = ''] = lines
    if (first === '' || /^(?:NOTE|STYLE|REGION)(?:[ \t]|$)/.test(first)) continue
    const cue = readCue(lines)
    if (cue === null) skipped_at_ms ??= cues.at(-1)?.end_ms ?? 0
    else if (cue.words !== '') cues.push(cue)
  }
  const sorted = cues.toSorted((a, b) => a.start_ms - b.start_ms)
  return { cues: withSpeakers(sorted).map((cue) => ({ ...cue, words: cue.words.slice(0, MAX_WORDS) })), skipped_at_ms }
}

/** Returns null for a damaged one. Its first line may be a number or another name. */
function readCue(lines: string[]): Cue | null {
  const at = lines[0]?.includes('-->') ? 0 : 1
  const times = TIMES.exec(lines[at] ?? '')
  if (!times) return null
  const start_ms = timeOf(times.slice(1, 5))
  const end_ms = timeOf(times.slice(5, 9))
  if (end_ms < start_ms || start_ms >= DAY_MS || end_ms > 2 * DAY_MS) return null
  const text = lines.slice(at + 1).join('\n')
  if (text.includes('-->')) return null // the blank line between two is missing
  const [voice, name = ''] = VOICE.exec(text) ?? ['']
  const words = plain(text.slice(voice.length)).replaceAll(/\s+/g, ' ').replaceAll(CONTROLS, '').trim()
  return { start_ms, end_ms, speaker: cutToVisible(plain(name), MAX_SPEAKER), words }
}

function timeOf([hours, minutes, seconds, ms]: (string | undefined)[]): number {
  return ((Number(hours ?? 0) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(ms)
}

function plain(text: string): string {
  return text
    .replaceAll(/<\/?[a-z0-9][^<>\n]*>/gi, '')
    .replaceAll(/&(\w{2,4});/g, (whole, name: string) => ENTITIES[name] ?? whole)
}

/** Takes names from the lines where most have one. Otherwise a colon is only one of a sentence. */
function withSpeakers(cues: Cue[]): Cue[] {
  const named = cues.filter(({ words }) => NAMED.test(words)).length
  if (named * 2 < cues.length) return cues
  return cues.map((cue) => {
    const [label, name = ''] = cue.speaker ? [''] : (NAMED.exec(cue.words) ?? [''])
    return label === ''
      ? cue
      : { ...cue, speaker: cutToVisible(name, MAX_SPEAKER), words: cue.words.slice(label.length) }
  })
}
