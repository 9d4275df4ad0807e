/** True for a name or address by which a machine reaches only itself, as in BIND or a page's URL. */
export function isLoopback(host: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[?(::1|::ffff:127(\.\d+){3})\]?)$/i.test(host)
}
