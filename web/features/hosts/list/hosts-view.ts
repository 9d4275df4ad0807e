import type { Host } from '../../../../shared/hosts.ts'
import { filterHosts, type HostFilter, isHostFilter, isUsable } from '../host-filters.ts'

/** The list's filter, order and page, which the page's address keeps. */
export type HostsView = {
  words: string
  filter: HostFilter
  sort: HostSort
  descending: boolean
  page: number
}

/** Sort keys; null comes last in either direction. */
export const HOST_SORTS = {
  host: (host) => host.username.toLowerCase(),
  contact: (host) => host.email.toLowerCase(),
  zoom: (host) => ['connected', 'reconnect_needed', 'not_connected'].indexOf(host.zoom_status),
  online: (host) => (host.is_online ? 0 : 1),
  subscription: (host) => host.subscription_end_date,
  storage: (host) => host.storage_used_gb / host.storage_limit_gb,
  status: (host) => (isUsable(host) ? 0 : host.is_active ? 1 : 2),
  created: (host) => host.numerical_id,
} satisfies Record<string, (host: Host) => string | number | null>

export type HostSort = keyof typeof HOST_SORTS

/** The newest hosts first, in the server's order. */
export const INITIAL_HOSTS_VIEW: HostsView = { words: '', filter: 'all', sort: 'created', descending: true, page: 1 }

export function isHostSort(text: string): text is HostSort {
  return Object.hasOwn(HOST_SORTS, text)
}

export function readHostsView(params: URLSearchParams): HostsView {
  const filter = params.get('filter') ?? ''
  const sorted = params.get('sort') ?? ''
  const sort = sorted.replace(/^-/, '')
  const page = Number(params.get('page'))
  return {
    words: params.get('q') ?? '',
    filter: isHostFilter(filter) ? filter : INITIAL_HOSTS_VIEW.filter,
    ...(isHostSort(sort) ? { sort, descending: sorted.startsWith('-') } : ORDER),
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
  }
}

const ORDER = { sort: INITIAL_HOSTS_VIEW.sort, descending: INITIAL_HOSTS_VIEW.descending }

/** Writes the view into the address. Defaults are omitted, and other parameters stay. */
export function withHostsView(params: URLSearchParams, view: HostsView): URLSearchParams {
  const next = new URLSearchParams(params)
  const sorted = `${view.descending ? '-' : ''}${view.sort}`
  const fields = { q: view.words, filter: view.filter, sort: sorted, page: String(view.page) }
  const first = { q: '', filter: 'all', sort: '-created', page: '1' }
  for (const name of ['q', 'filter', 'sort', 'page'] as const) {
    if (fields[name] === first[name]) next.delete(name)
    else next.set(name, fields[name])
  }
  return next
}

/** Filters and sorts the hosts of all pages. */
export function applyHostsView(hosts: Host[], view: Omit<HostsView, 'page'>, now: number): Host[] {
  return sortHosts(searchHosts(filterHosts(hosts, view.filter, now), view.words), view)
}

const texts = new WeakMap<Host, string>()

function textOf(host: Host): string {
  const known = texts.get(host)
  if (known !== undefined) return known
  const text = [host.username, host.email, host.mobile ?? ''].join('\n').toLowerCase()
  texts.set(host, text)
  return text
}

/** Finds hosts whose username, email or mobile contains the words, ignoring case. */
export function searchHosts(hosts: Host[], words: string): Host[] {
  const wanted = words.trim().toLowerCase()
  return wanted ? hosts.filter((host) => textOf(host).includes(wanted)) : hosts
}

function sortHosts(hosts: Host[], { sort, descending }: Pick<HostsView, 'sort' | 'descending'>): Host[] {
  const keyOf: (host: Host) => string | number | null = HOST_SORTS[sort]
  const direction = descending ? -1 : 1
  const keyed = hosts.map((host) => ({ host, key: keyOf(host) }))
  keyed.sort((one, other) => {
    if (one.key === other.key) return other.host.numerical_id - one.host.numerical_id
    if (one.key === null || other.key === null) return one.key === null ? 1 : -1
    return one.key < other.key ? -direction : direction
  })
  return keyed.map(({ host }) => host)
}
