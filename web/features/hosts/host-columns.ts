import type { HostSort } from './hosts-view.ts'

/** The columns of the host table, by what they can be sorted by. */
export const HOST_COLUMNS: Record<HostSort, string> = {
  host: 'Host',
  contact: 'Contact',
  zoom: 'Zoom Integration',
  online: 'Online Status',
  subscription: 'Subscription',
  storage: 'Storage',
  status: 'Status',
  created: 'Created',
}

/** Every column but the host can be hidden: without it the rows look alike. */
export const HIDEABLE: HostSort[] = ['contact', 'zoom', 'online', 'subscription', 'storage', 'status', 'created']
