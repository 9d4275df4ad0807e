import { SharedReport } from '../../../../shared/report-links.ts'
import type { Deps } from '../../../deps.ts'
import { boundedCache } from '../../../lib/bounded-cache.ts'
import { readReport } from '../report.ts'
import { findReportedRoom } from '../summaries.ts'
import { findSharedMeeting, type SharedMeeting } from './report-links.ts'

const KEPT_MS = 60_000
const MAX_KEPT = 100

/** Builds the report of a link once for all who read it within a minute. A link may reach a large audience. */
export class SharedReports {
  readonly #deps: Deps
  readonly #reports

  constructor(deps: Deps) {
    this.#deps = deps
    this.#reports = boundedCache<Promise<SharedReport>>(deps.now, KEPT_MS, MAX_KEPT)
  }

  /** Looks the link up each time, so that it shows nothing once it has ended. Returns null for one that does not work. */
  async read(ip: string, token: string): Promise<SharedReport | null> {
    const found = await this.#deps.strangers.run(ip, () => findSharedMeeting(this.#deps, token))
    if (found === null) return null
    const kept = this.#reports.get(found.id)
    if (kept) return kept
    const report = this.#build(found)
    this.#reports.set(found.id, report)
    report.catch(() => this.#reports.delete(found.id)) // the next reader tries again
    return report
  }

  /** The schema leaves out all that it does not name. */
  async #build(found: SharedMeeting): Promise<SharedReport> {
    const report = await readReport(this.#deps, await findReportedRoom(this.#deps, found), found.meeting_uuid)
    const note = found.with_note ? report.meeting.note : null
    return SharedReport.parse({
      ...report,
      meeting: { ...report.meeting, note },
      room_name: found.room_name,
      expires_at: found.expires_at.toISOString(),
    })
  }
}
