import { isLoopback } from '../lib/loopback.ts'
import { parseRedisUrl } from './redis-url.ts'

/** Values of PostgreSQL's `sslmode` that require TLS; the others allow an unencrypted connection. */
const WITH_TLS = ['require', 'verify-ca', 'verify-full', 'no-verify']

/** Lists other machines that receive stored data, including passwords, without TLS, by the setting that names them. */
export function findPlaintextConnections(settings: {
  DATABASE_URL?: string | undefined
  REDIS_URL?: string | undefined
}) {
  const hosts = { DATABASE_URL: databaseHosts(settings.DATABASE_URL), REDIS_URL: redisHosts(settings.REDIS_URL) }
  return Object.entries(hosts)
    .map(([setting, all]) => ({ setting, hosts: all.filter((host) => host !== '' && !isLoopback(host)) }))
    .filter(({ hosts }) => hosts.length > 0)
}

function databaseHosts(text: string | undefined): string[] {
  if (!text) return []
  const { hostname, searchParams } = new URL(text)
  const isTls = WITH_TLS.includes(searchParams.get('sslmode') ?? '') || /^(1|true)$/.test(searchParams.get('ssl') ?? '')
  return isTls ? [] : [hostname]
}

function redisHosts(text: string | undefined): string[] {
  const address = text ? parseRedisUrl(text) : null
  if (address === null) return []
  if (typeof address === 'string') return address.startsWith('rediss:') ? [] : [new URL(address).hostname]
  return address.isTls ? [] : address.nodes.map(({ host }) => host)
}
