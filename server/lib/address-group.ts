import ipaddr from 'ipaddr.js'

/** What counts as one address: of IPv6 a /64, of which one household or server has all. */
export function addressGroup(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip
  const address = ipaddr.process(ip) // a mapped IPv4 address is one of IPv4
  if (address instanceof ipaddr.IPv4) return address.toString()
  return `${address.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`
}
