import dns, { type LookupAddress, type LookupOptions } from 'node:dns'
import ipaddr from 'ipaddr.js'

/** NAT64 (rfc6052) is how an IPv6-only network reaches public IPv4 addresses. */
const PUBLIC_RANGES = ['unicast', 'rfc6052']

export function isPrivate(address: string): boolean {
  return !PUBLIC_RANGES.includes(ipaddr.process(address).range())
}

type Answer = (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void

/**
 * Looks up a name in DNS, and refuses one with a private address. The connection goes to the checked address, because
 * the name is looked up only this once.
 */
export function publicLookup(hostname: string, options: LookupOptions, answer: Answer): void {
  dns.lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return answer(error, '')
    const found = addresses.find(({ address }) => isPrivate(address))
    if (found) return answer(new Error(`${hostname} has a private address: ${found.address}`), '')
    const [first] = addresses
    if (options.all) return answer(null, addresses)
    answer(first ? null : new Error(`${hostname} has no address`), first?.address ?? '', first?.family)
  })
}
