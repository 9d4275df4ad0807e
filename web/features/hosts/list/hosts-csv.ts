import { BYTE_ORDER_MARK, csvLine } from '../../../../shared/csv.ts'
import { utcDay } from '../../../../shared/dates.ts'
import type { Host } from '../../../../shared/hosts.ts'
import type { HostFilter } from '../host-filters.ts'

const HEAD = [
  ...['host_id', 'username', 'full_name', 'email', 'mobile', 'room_name', 'active', 'online', 'users'],
  ...['zoom_status', 'zoom_user_email', 'subscription_status', 'subscription_months', 'subscription_start_date'],
  ...['subscription_end_date', 'storage_used_gb', 'storage_limit_gb', 'created_at', 'deleted_at', 'purge_at'],
]

/** Exports the hosts for a spreadsheet, in the given order. */
export function hostsCsv(hosts: Host[]): string {
  return BYTE_ORDER_MARK + csvLine(HEAD) + hosts.map(hostLine).join('')
}

function hostLine(host: Host): string {
  return csvLine([
    ...[host.user_id, host.username, host.full_name, host.email, host.mobile, host.room_name],
    ...[host.is_active ? 'yes' : 'no', host.is_online ? 'yes' : 'no', host.user_count],
    ...[host.zoom_status, host.zoom_user_email, host.subscription_status, host.subscription_type],
    ...[host.subscription_start_date, host.subscription_end_date, host.storage_used_gb, host.storage_limit_gb],
    ...[host.created_at, host.deleted_at, host.purge_at],
  ])
}

/** Contains the UTC date of the export. */
export function hostsCsvName(filter: HostFilter, now: number): string {
  return `hosts-${filter === 'all' ? '' : `${filter}-`}${utcDay(now)}.csv`
}
