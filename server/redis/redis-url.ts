export interface Address {
  host: string
  port: number
}

interface Login {
  username: string | undefined
  password: string | undefined
}

/** Several addresses that lead to a master: Sentinels, or nodes of a Cluster. */
export interface MasterDiscovery {
  kind: 'sentinel' | 'cluster'
  nodes: Address[]
  /** The name by which Sentinels know the master. Empty for a Cluster. */
  name: string
  login: Login
  /** The login at the Sentinels themselves. */
  sentinelLogin: Login
  isTls: boolean
}

export const REDIS_URL_FORMS =
  'an address like redis://host:6379, redis+sentinel://host:26379,host:26379/name or redis+cluster://host:6379,host:6379'

const SENTINEL_PORT = 26_379
const PORT = 6_379

const SEVERAL = /^(rediss?)\+(sentinel|cluster):\/\/(?:([^@/?#]*)@)?([^@/?#]+)(?:\/([^@/?#]*))?(?:\?([^@/?#]*))?$/
const NODE = /^(\[[\da-f:.]+\]|[a-z\d](?:[\w.-]*[a-z\d])?)(?::(\d{1,5}))?$/i
const SENTINEL_LOGIN = ['sentinel_username', 'sentinel_password']

/** Returns the address of one server unchanged, or the parsed addresses of several; null if it is neither. */
export function parseRedisUrl(text: string): string | MasterDiscovery | null {
  if (/^rediss?:/.test(text)) return URL.canParse(text) && new URL(text).hostname !== '' ? text : null
  try {
    return parseSeveral(text)
  } catch {
    return null // an invalid % escape
  }
}

function parseSeveral(text: string): MasterDiscovery | null {
  const [, scheme, kind, user = '', hosts = '', path = '', query] = SEVERAL.exec(text) ?? []
  if (kind !== 'sentinel' && kind !== 'cluster') return null
  const name = decodeURIComponent(path)
  const settings = new URLSearchParams(query)
  const areKnown = [...settings.keys()].every((key) => kind === 'sentinel' && SENTINEL_LOGIN.includes(key))
  const nodes = hosts.split(',').map((host) => parseNode(host, kind === 'sentinel' ? SENTINEL_PORT : PORT))
  if (!areKnown || (kind === 'sentinel') === (name === '') || nodes.includes(null)) return null
  const [username, password] = user.split(/:(.*)/s).map((part) => decodeURIComponent(part) || undefined)
  return {
    ...{ kind, name, nodes: nodes.filter((node) => node !== null) },
    login: { username, password },
    sentinelLogin: {
      username: settings.get('sentinel_username') || undefined,
      password: settings.get('sentinel_password') || undefined,
    },
    isTls: scheme === 'rediss',
  }
}

function parseNode(text: string, defaultPort: number): Address | null {
  const [, host, digits] = NODE.exec(text) ?? []
  const port = Number(digits ?? defaultPort)
  return host === undefined || port < 1 || port > 65_535 ? null : { host: host.replace(/^\[|\]$/g, ''), port }
}

/** Describes the address for the start line, without names and passwords. */
export function describeRedis(text: string): string {
  const address = parseRedisUrl(text)
  if (address === null) return 'Redis'
  if (typeof address === 'string') return `Redis at ${new URL(address).host}`
  const { kind, name, nodes } = address
  const hosts = nodes.map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`).join(', ')
  return kind === 'cluster' ? `Redis Cluster at ${hosts}` : `Redis ${name} behind Sentinel at ${hosts}`
}
