import ipaddr from 'ipaddr.js'

/** Treats IPv6 addresses of one /64 as one, because a household or server has all of it. */
export function addressGroup(ip: string): string {
  return networkOf(ip, 4)
}

/** Lists the networks around an address, each with the settings for its prefix length. */
export function networksAround<T extends { length: number }>(ip: string, lengths: { ipv4: T[]; ipv6: T[] }) {
  if (!ipaddr.isValid(ip)) return []
  const address = ipaddr.process(ip)
  return lengths[address.kind()].map((stated) => {
    const maskOf = (at: number) => 0xff00 >> Math.min(8, Math.max(0, stated.length - 8 * at))
    const masked = address.toByteArray().map((byte, at) => byte & maskOf(at))
    return { ...stated, network: `${ipaddr.fromByteArray(masked)}/${stated.length}` }
  })
}

/** Lists the network that takes turns with others, and the address that takes turns within it. */
export function addressPath(ip: string): string[] {
  const around = networksAround(ip, { ipv4: [{ length: 24 }], ipv6: [{ length: 48 }] })
  return [...around.map(({ network }) => network), addressGroup(ip)]
}

/** Treats IPv6 addresses of one /48 as one: the most that a provider gives to a site. */
export function siteNetwork(ip: string): string {
  return networkOf(ip, 3)
}

function networkOf(ip: string, ipv6Parts: number): string {
  if (!ipaddr.isValid(ip)) return ip
  const address = ipaddr.process(ip) // unwraps an IPv4-mapped address
  if (address instanceof ipaddr.IPv4) return address.toString()
  const parts = address.parts.slice(0, ipv6Parts).map((part) => part.toString(16))
  return `${parts.join(':')}::/${16 * ipv6Parts}`
}
