/** Says what became of a link that was to be sent by email. */
export function mailNote(isAsked: boolean, isMailed: boolean, address: string): string | undefined {
  if (!isAsked) return undefined
  return isMailed
    ? `It is also on its way to ${address} by email.`
    : 'It could not be sent by email: copy it, and send it another way.'
}
