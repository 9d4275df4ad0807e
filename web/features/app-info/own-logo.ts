/** True if the logo is on this server: this page may load no other picture. */
export function isOwnLogo(address: string): boolean {
  return /^\/logos\/[\w.-]+$/.test(address)
}
