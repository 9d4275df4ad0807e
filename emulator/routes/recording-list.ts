import { z } from 'zod'
import { invalidFields, MeetingNumber, parseInput, RestError } from '../rest.ts'
import { randomId } from '../state/identifiers.ts'
import { recordingJson, visibleFiles } from '../state/recording-json.ts'
import type { Account, CloudRecording } from '../state/state.ts'
import { MINUTE_MS, utcDate } from '../state/times.ts'
import type { Zoom } from '../state/zoom.ts'

const PAGE_LIFE = 15 * MINUTE_MS

const day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/)
  .optional()

const ListQuery = z.object({
  from: day,
  to: day,
  page_size: z.coerce.number().int().min(1).default(30),
  next_page_token: z.string().default(''),
  trash: z.enum(['true', 'false']).default('false'),
  meeting_id: MeetingNumber.optional(),
})

/** Returns a page of a user's recordings, newest first. */
export function listRecordings(zoom: Zoom, account: Account, rawQuery: unknown) {
  const { next_page_token, ...query } = parseInput(ListQuery, rawQuery)
  const { from, to } = recordingWindow(query.from, query.to, utcDate(zoom.now()), zoom.options.list_days)
  const page_size = Math.min(query.page_size, 300)
  const signature = JSON.stringify([account.id, query])
  const offset = next_page_token === '' ? 0 : pageOffset(zoom, next_page_token, signature)

  const horizon = utcDate(zoom.now()).subtract({ months: 6 }).toString()
  const found = zoom.state.recordings
    .filter((recording) => recording.host_id === account.id)
    .filter((recording) => query.meeting_id === undefined || String(recording.meeting_id) === query.meeting_id)
    .filter((recording) => {
      const date = recording.start_time.slice(0, 10)
      return query.trash === 'true' || (date >= from && date <= to && date >= horizon)
    })
    .map((recording) => ({ recording, files: listedFiles(recording, query) }))
    .filter(({ files }) => files.length > 0)
    .toSorted((a, b) => b.recording.start_time.localeCompare(a.recording.start_time))

  const page = found.slice(offset, offset + page_size)
  const more = offset + page_size < found.length
  return {
    from,
    to,
    page_count: Math.ceil(found.length / page_size),
    page_size,
    total_records: found.length,
    next_page_token: more ? newPageToken(zoom, signature, offset + page_size) : '', // '' on the last page
    meetings: page.map(({ recording, files }) => recordingJson(zoom, recording, files, 'api')),
  }
}

/** Zoom silently shortens ranges of more than a month; only `from` in the response shows it. */
export function recordingWindow(
  from: string | undefined,
  to: string | undefined,
  today: Temporal.PlainDate,
  days?: number,
) {
  const end = to === undefined ? today.add({ days: 1 }) : plainDate(to, 'to')
  const begin = from === undefined ? today : plainDate(from, 'from')
  const earliest = end.subtract(days ? { days } : { months: 1 })
  const clamped = Temporal.PlainDate.compare(begin, earliest) < 0 ? earliest : begin
  return { from: clamped.toString(), to: end.toString() }
}

function listedFiles(recording: CloudRecording, { trash }: { trash: string }) {
  if (trash === 'false') return visibleFiles(recording)
  return recording.deleted_time === null ? [] : recording.files
}

function newPageToken(zoom: Zoom, query: string, offset: number) {
  const token = randomId(24)
  zoom.memory.pages.set(token, { query, offset, expires_at: zoom.now() + PAGE_LIFE })
  return token
}

/** A page token is valid for 15 minutes, and only with the same query. */
function pageOffset(zoom: Zoom, token: string, query: string) {
  const page = zoom.memory.pages.get(token)
  if (!page || page.expires_at <= zoom.now() || page.query !== query) {
    throw new RestError(400, 300, 'The next page token is invalid or expired.')
  }
  return page.offset
}

function plainDate(text: string, field: string) {
  try {
    return Temporal.PlainDate.from(text, { overflow: 'reject' })
  } catch {
    throw invalidFields(field)
  }
}
