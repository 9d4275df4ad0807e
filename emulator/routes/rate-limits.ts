import { RestError } from '../rest.ts'
import type { Account } from '../state/state.ts'
import { utcDate } from '../state/times.ts'
import type { Zoom } from '../state/zoom.ts'

/** A call's rate-limit class, which Zoom names in each response. */
export type RateLabel = 'Light' | 'Medium'

/** Calls per second by plan: 1 Basic, 2 Licensed. */
const A_SECOND = { 1: { Light: 4, Medium: 2 }, 2: { Light: 30, Medium: 20 } }

/** Zoom counts an account's calls per class, across all its users and apps. */
export function countCall(zoom: Zoom, account: Account, label: RateLabel) {
  if (!zoom.options.second_limits) return
  const key = `${account.account_id} ${label}`
  const second = Math.floor(zoom.now() / 1000)
  const known = zoom.memory.calls.get(key)
  const count = known?.second === second ? known.count : 0
  const limit = A_SECOND[account.type][label]
  if (count >= limit) {
    zoom.memory.rateLimited += 1
    throw new RestError(429, 429, 'You have reached the maximum per-second rate limit for this API. Try again later.', {
      headers: { 'x-ratelimit-type': 'QPS', 'x-ratelimit-limit': String(limit), 'x-ratelimit-remaining': '0' },
    })
  }
  zoom.memory.calls.set(key, { second, count: count + 1 })
}

/** Zoom counts a user's meeting creates and updates together, across all apps, until midnight UTC. */
export function countMeetingWriteToday(zoom: Zoom, account: Account) {
  const today = utcDate(zoom.now())
  const key = `${account.id} ${today}`
  const count = zoom.state.writes[key] ?? 0
  if (count >= zoom.options.daily_limit) {
    const midnight = `${today.add({ days: 1 })}T00:00:00Z`
    throw new RestError(
      429,
      429,
      'You have reached the maximum daily rate limit for this API. Refer to the response header for details on when you can make another request.',
      { headers: { 'x-ratelimit-type': 'Daily-limit', 'x-ratelimit-remaining': '0', 'retry-after': midnight } },
    )
  }
  zoom.state.writes[key] = count + 1
}
