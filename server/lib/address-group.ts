import ipaddr from 'ipaddr.js'

/** IPv6 addresses of one /64 count as one, since a household or server has all of it. */
export function addressGroup(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip
  const address = ipaddr.process(ip) // unwraps an IPv4-mapped address
  if (address instanceof ipaddr.IPv4) return address.toString()
  return `${address.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`
}
