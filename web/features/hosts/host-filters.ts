import { DAY_MS } from '../../../shared/dates.ts'
import { type Host, isZoomInTrouble } from '../../../shared/hosts.ts'

/** A host with a larger share of its storage in use needs attention. */
export const NEARLY_FULL = 0.9

type Soon = { in7: string; in30: string }
type Filter = { label: string; matches: (host: Host, soon: Soon) => boolean }

/** All of the API's times have the same format and compare as text, which spares parsing five thousand dates. */
const endsBy = ({ subscription_status, subscription_end_date: end }: Host, limit: string) =>
  subscription_status === 'active' && end !== null && end <= limit

/** True if phones may sign in: the room is not stopped, and its subscription is active. */
export function isUsable({ is_active, subscription_status }: Host): boolean {
  return is_active && subscription_status === 'active'
}

/** The filters of Host Management, by their names in the address. */
export const HOST_FILTERS = {
  all: { label: 'All hosts', matches: () => true },
  active: { label: 'Active', matches: isUsable },
  online: { label: 'Online', matches: (host) => host.is_online },
  live: { label: 'Live now', matches: (host) => host.is_live },
  'zoom-connected': { label: 'Zoom connected', matches: (host) => host.zoom_connected },
  'expiring-7': { label: 'Expiring in 7 days', matches: (host, { in7 }) => endsBy(host, in7) },
  'expiring-30': { label: 'Expiring in 30 days', matches: (host, { in30 }) => endsBy(host, in30) },
  expired: { label: 'Expired', matches: (host) => host.subscription_status === 'expired' },
  cancelled: { label: 'Cancelled', matches: (host) => host.subscription_status === 'cancelled' },
  'no-subscription': { label: 'No subscription', matches: (host) => host.subscription_status === 'none' },
  'not-connected': { label: 'Zoom not connected', matches: (host) => host.zoom_status === 'not_connected' },
  reconnect: { label: 'Reconnect needed', matches: (host) => host.zoom_status === 'reconnect_needed' },
  'zoom-in-trouble': { label: 'Zoom in trouble', matches: isZoomInTrouble },
  unarchived: { label: 'Recordings not archived', matches: (host) => host.unarchived_recordings > 0 },
  storage: {
    label: 'Storage over 90 %',
    matches: (host) => host.storage_used_gb > host.storage_limit_gb * NEARLY_FULL,
  },
  deleted: { label: 'Deleted', matches: (host) => host.deleted_at !== null },
} satisfies Record<string, Filter>

export type HostFilter = keyof typeof HOST_FILTERS

/** The filters in the order of the select. */
export const FILTER_GROUPS: { group: string; filters: HostFilter[] }[] = [
  { group: 'State', filters: ['all', 'active', 'online', 'live', 'zoom-connected'] },
  { group: 'Renewals', filters: ['expiring-7', 'expiring-30', 'expired', 'cancelled', 'no-subscription'] },
  { group: 'To look after', filters: ['not-connected', 'reconnect', 'zoom-in-trouble', 'unarchived', 'storage'] },
  { group: 'Removed', filters: ['deleted'] },
]

export function isHostFilter(text: string): text is HostFilter {
  return Object.hasOwn(HOST_FILTERS, text)
}

export function filterHosts(hosts: Host[], filter: HostFilter, now: number): Host[] {
  const { matches }: Filter = HOST_FILTERS[filter]
  const soon = soonFrom(now)
  return hosts.filter((host) => matches(host, soon))
}

/** Counts the hosts that each filter would show. */
export function countByFilter(hosts: Host[], now: number): Map<HostFilter, number> {
  const filters = FILTER_GROUPS.flatMap((group) => group.filters)
  return new Map(filters.map((filter) => [filter, filterHosts(hosts, filter, now).length]))
}

function soonFrom(now: number): Soon {
  const inDays = (days: number) => new Date(now + days * DAY_MS).toISOString()
  return { in7: inDays(7), in30: inDays(30) }
}
