import dns, { type LookupAddress, type LookupOptions } from 'node:dns'
import { BlockList, isIPv4 } from 'node:net'

/** Addresses that no host on the internet has: this machine, the networks around it, and what clouds keep there. */
const PRIVATE = new BlockList()
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const)
  PRIVATE.addSubnet(net, bits, 'ipv4')
for (const [net, bits] of [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const)
  PRIVATE.addSubnet(net, bits, 'ipv6')

/** An IPv4 address within an IPv6 one counts as itself. */
export function isPrivate(address: string): boolean {
  const inner = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address
  return PRIVATE.check(inner, isIPv4(inner) ? 'ipv4' : 'ipv6')
}

type Answer = (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void

/**
 * Looks a name up for a connection, and refuses one that leads inside: a name of Zoom's may be made to. The connection
 * goes to what was checked here, since this is the only time that the name is looked up.
 */
export function publicLookup(hostname: string, options: LookupOptions, answer: Answer): void {
  dns.lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return answer(error, '')
    const inside = addresses.find(({ address }) => isPrivate(address))
    if (inside) return answer(new Error(`${hostname} leads inside, to ${inside.address}`), '')
    const [first] = addresses
    if (options.all) return answer(null, addresses)
    answer(first ? null : new Error(`${hostname} leads nowhere`), first?.address ?? '', first?.family)
  })
}
