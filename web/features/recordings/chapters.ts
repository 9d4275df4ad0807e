import type { RecordedSpeech } from '../../../shared/recording-speakers.ts'

export type SpeakerChapter = { id: string; from: number; to: number }

/** A pause of the same speaker up to this is within the turn. */
const PAUSE_S = 20
/** Shorter turns belong to the chapter that they interrupt. */
const SHORTEST_S = 10
const CHAPTERS_MAX = 300

/** Divides a recording by who spoke: a chapter begins where another user takes a turn, and lasts until the next one. */
export function chaptersOf(speeches: readonly RecordedSpeech[], length: number): SpeakerChapter[] {
  const turns = turnsOf(speeches, length)
  for (let shortest = SHORTEST_S; ; shortest *= 2) {
    const chapters = joined(turns.filter(({ from, to }) => to - from >= shortest))
    if (chapters.length <= CHAPTERS_MAX) return chapters
  }
}

/** Joins the speeches of each user that only a pause separates, or another user's few words. */
function turnsOf(speeches: readonly RecordedSpeech[], length: number): SpeakerChapter[] {
  const turns: SpeakerChapter[] = []
  const last = new Map<string, SpeakerChapter>()
  for (const { id, from_seconds, to_seconds } of speeches) {
    const [from, to] = [Math.max(0, from_seconds), Math.min(length, to_seconds)]
    if (to <= from) continue
    const before = last.get(id)
    if (before && from - before.to <= PAUSE_S && !isOvertaken(before, turns)) {
      before.to = Math.max(before.to, to)
      continue
    }
    const turn = { id, from, to }
    last.set(id, turn)
    turns.push(turn)
  }
  return turns
}

/** Says whether another user has taken a turn that lasted longer than this one. */
function isOvertaken(turn: SpeakerChapter, turns: readonly SpeakerChapter[]): boolean {
  const place = turns.lastIndexOf(turn)
  return turns.some(({ from, to }, index) => index > place && to > turn.to && to - from >= SHORTEST_S)
}

/** Leaves out what is within a longer turn, and joins what follows of the same user. */
function joined(turns: readonly SpeakerChapter[]): SpeakerChapter[] {
  const chapters: SpeakerChapter[] = []
  for (const turn of turns) {
    const before = chapters.at(-1)
    if (before && turn.to <= before.to) continue
    if (before?.id === turn.id) before.to = turn.to
    else chapters.push({ ...turn })
  }
  return chapters
}

/** Returns the last one that has begun; undefined before the first. */
export function chapterAt(chapters: readonly SpeakerChapter[], seconds: number): SpeakerChapter | undefined {
  return chapters.findLast(({ from }) => from <= seconds)
}

/** Returns the users who speak at this second. */
export function speakersAt(speeches: readonly RecordedSpeech[], seconds: number): string[] {
  const now = speeches.filter(({ from_seconds, to_seconds }) => from_seconds <= seconds && seconds < to_seconds)
  return [...new Set(now.map(({ id }) => id))]
}
