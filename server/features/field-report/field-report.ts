import { clockOf, layOutReport, type ReportSection } from '../../../shared/field-report.ts'
import type { Deps } from '../../deps.ts'
import { ownVersion } from '../../lib/own-version.ts'
import type { TraceEntry } from '../../zoom/zoom-trace.ts'

const EVENTS_SHOWN = 300
/** Names of Zoom's events. They come in signed bodies, but nothing else is let into the report. */
const EVENT_NAME = /^[a-z_]+(\.[a-z_]+)*$/

type Entry = TraceEntry & { at: number }

/** Writes what this server saw of Zoom. Nothing in it names a person, an account or a meeting. */
export async function writeFieldReport(deps: Deps): Promise<string> {
  const entries = deps.zoomTrace.entries()
  return layOutReport('Field report of a Parley server', new Date(deps.now()), [
    { title: 'Versions', lines: versions(deps) },
    { title: 'Rooms in memory', lines: rooms(deps) },
    { title: 'Calls to Zoom, by kind', lines: summariseCalls(entries) },
    { title: 'What this server did at Zoom, and what Zoom answered its phones and seats', lines: entries.map(lineOf) },
    await readEvents(deps),
    { title: 'Please add by hand', lines: BY_HAND },
  ])
}

function versions({ config }: Deps): string[] {
  return [
    `Parley ${ownVersion()}`,
    `Node.js ${process.versions.node} on ${process.platform} ${process.arch}`,
    `Database: ${config.DATABASE_URL ? 'PostgreSQL' : 'embedded'}; Redis: ${config.REDIS_URL ? 'yes' : 'no'}`,
    `Zoom: ${new URL(config.ZOOM_API_URL).hostname === 'api.zoom.us' ? 'api.zoom.us' : 'not api.zoom.us'}`,
    `Meeting SDK for Web ${config.ZOOM_SDK_VERSION}`,
  ]
}

function rooms({ rooms }: Deps): string[] {
  return rooms.all().map((room, index) => {
    const { total, online, muted } = room.counts()
    return `room ${index + 1}: ${total} users, ${online} online, ${muted} muted`
  })
}

function summariseCalls(entries: Entry[]): string[] {
  const kinds = new Map<string, { count: number; failed: number; longest: number }>()
  for (const entry of entries) {
    if (entry.kind !== 'call') continue
    const kind = `${entry.method} ${entry.path}`
    const { count, failed, longest } = kinds.get(kind) ?? { count: 0, failed: 0, longest: 0 }
    kinds.set(kind, {
      count: count + 1,
      failed: failed + (entry.fault ? 1 : 0),
      longest: Math.max(longest, entry.ms),
    })
  }
  return [...kinds].map(
    ([kind, { count, failed, longest }]) => `${kind}: ${count} times, ${failed} failed, ${longest} ms at most`,
  )
}

function lineOf(entry: Entry): string {
  return `${clockOf(new Date(entry.at))}  ${describe(entry)}`
}

function describe(entry: TraceEntry): string {
  switch (entry.kind) {
    case 'call': {
      const { method, path, ms, fault, status, code } = entry
      const failure = fault ? `${fault}, status ${status ?? 'none'}, code ${code ?? 'none'}` : 'ok'
      return `${method} ${path}: ${failure}, ${ms} ms`
    }
    case 'ticket':
      return `ticket for a ${entry.role}: ${entry.refusal ?? 'given'}, ${entry.ms} ms`
    case 'phone-refused':
      return `Zoom refused a phone (${entry.platform ?? 'unknown platform'}): code ${entry.zoom_code}`
    case 'seat':
      return `seat: ${entry.state}, powers ${entry.powers}, code ${entry.zoom_code ?? 'none'}`
  }
}

/** Zoom's events of the installation, whose lateness Zoom does not promise. */
async function readEvents({ db }: Deps): Promise<ReportSection> {
  const events = await db
    .selectFrom('zoom_events')
    .select(['event', 'reported_at', 'received_at', 'processed_at', 'attempts', 'failure'])
    .orderBy('received_at', 'desc')
    .limit(EVENTS_SHOWN)
    .execute()
  const lines = events.toReversed().map((event) => {
    const name = EVENT_NAME.test(event.event) ? event.event : 'unknown event'
    const late = event.received_at.getTime() - event.reported_at.getTime()
    const handled = event.failure === null ? (event.processed_at ? 'handled' : 'waiting') : 'failed'
    return `${clockOf(event.received_at)}  ${name}: ${late} ms after Zoom's time, ${handled} at attempt ${event.attempts}`
  })
  return { title: "Zoom's events, in the order in which they came", lines }
}

const BY_HAND = [
  'Plan of the Zoom account (Basic, Pro, Business, Education):',
  'Does the app belong to the same Zoom account as the meeting (yes, no):',
  'Which step of the first meeting failed, and what was on the screens:',
]
