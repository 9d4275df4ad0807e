/** A name or an address by which a machine reaches itself alone, as in BIND or in an address of a page. */
export function isLoopback(host: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[?(::1|::ffff:127(\.\d+){3})\]?)$/i.test(host)
}
