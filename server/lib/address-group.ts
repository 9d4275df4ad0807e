import ipaddr from 'ipaddr.js'

/** IPv6 addresses of one /64 count as one, since a household or server has all of it. */
export function addressGroup(ip: string): string {
  return networkOf(ip, 4)
}

/** IPv6 addresses of one /48 count as one: the most that a provider gives to one site. */
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
