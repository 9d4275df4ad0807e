import { sql } from 'kysely'
import { makeRoomHistory } from '../demo/history/room-history.ts'
import { writeHistory } from '../demo/history/write-history.ts'
import type { Db } from '../server/db/client.ts'
import { searchWords } from '../shared/search-words.ts'
import type { SeededRoom } from './seed-rooms.ts'

const DAY_MS = 86_400_000
const MEETINGS = 150
const MEETING_ID = '81234567890'
/** Lines of a transcript of 90 minutes. */
const LINES = 700

/** The start of a meeting in the middle of the year, and the word that only its transcript has. */
export const MIDDLE = Math.floor(MEETINGS / 2)
export const RARE_WORD = 'harvest'
export const COMMON_WORD = 'evening'

export const yearMeetings = (now: number) =>
  Array.from({ length: MEETINGS }, (_, index) => ({
    uuid: `meeting ${index}`,
    began_at: now - Math.round((360 * DAY_MS * (MEETINGS - index)) / MEETINGS),
    minutes: 90,
  }))

/** Gives a room a year of meetings: some 50,000 stays, 180,000 turns, 45,000 rows in the log, and transcripts of all of it. */
export async function seedYear(db: Db, room: SeededRoom, now: number): Promise<void> {
  const { host_id, room_id } = room
  const users = await db
    .selectFrom('room_users')
    .select(['id', 'user_id', 'username'])
    .where('room_id', '=', room_id)
    .orderBy('user_id')
    .execute()
  const meetings = yearMeetings(now)
  const history = makeRoomHistory({ users, meetings, turnSeconds: 2.2, actsPerMeeting: 300, seed: 'year' })
  await writeHistory(db, { host_id, room_id, meeting_id: MEETING_ID }, history)
  for (const [index, { uuid, began_at }] of meetings.entries()) {
    await addRecording(db, { room_id, meeting_uuid: uuid, started_at: new Date(began_at) }, linesOf(index))
  }
  await sql`analyze`.execute(db)
}

type Sitting = { room_id: string; meeting_uuid: string; started_at: Date }

async function addRecording(db: Db, sitting: Sitting, lines: string[]): Promise<void> {
  await db
    .insertInto('recordings')
    .values({
      ...{ ...sitting, zoom_file_id: 'sound', meeting_id: MEETING_ID, topic: 'Evening', duration: 90 },
      ...{ status: 'completed', file_type: 'M4A', recording_type: 'audio_only', total_size: 40_000_000 },
    })
    .execute()
  const wordsOf = (line: string) => [...new Set(searchWords(line).map(({ word }) => word))]
  const { id } = await db
    .insertInto('transcripts')
    .values({
      ...{ ...sitting, zoom_file_id: 'transcript', status: 'read' },
      found_by: sql`array_to_tsvector(${[...new Set(lines.flatMap(wordsOf))]}::text[])`,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const cues = lines.map((words, index) => ({
    words,
    cue_number: index,
    start_ms: index * 7_500,
    found: wordsOf(words),
  }))
  await sql`
    insert into transcript_cues (transcript_id, cue_number, start_ms, end_ms, speaker, words, found_by)
    select ${id}::uuid, cue_number, start_ms, start_ms + 7000, 'Amina Yusuf', words,
      array_to_tsvector(array(select json_array_elements_text(found)))
    from json_to_recordset(${JSON.stringify(cues)}::json) as cue (cue_number int, start_ms int, words text, found json)`.execute(
    db,
  )
}

function linesOf(meeting: number): string[] {
  return Array.from({ length: LINES }, (_, line) => {
    const own = `w${(line * 31 + meeting * 7) % 3_000} w${(line * 17 + meeting * 3) % 3_000} w${(line * 13 + meeting) % 3_000}`
    const rare = meeting === MIDDLE && line === 300 ? ` ${RARE_WORD}` : ''
    return `This ${COMMON_WORD} we read on about ${own} and hear what each of us found in it${rare}.`
  })
}
