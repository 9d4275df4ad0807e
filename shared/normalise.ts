/** Normalises names and e-mails for comparison: case and Unicode form make no difference. */
export function normaliseForComparison(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase().normalize('NFKC')
}

/** Reduces a comparable name to its visible form: drops joiners and variation selectors, and collapses spaces. */
export function visibleForm(key: string): string {
  return key
    .replaceAll(/\u200c|\u200d|[\ufe00-\ufe0f]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** A PostgreSQL pattern of the names that `visibleForm` may change. */
export const INVISIBLE_PATTERN = '\u200c|\u200d|[\ufe00-\ufe0f]|  '

/**
 * Compares e-mails, ignoring case. Stricter than `comparable`: a letter that only resembles another one, or becomes it
 * in some Unicode form, makes a different address.
 */
export function isSameEmail(one: string, other: string): boolean {
  return lowered(one) === lowered(other)
}

function lowered(email: string): string {
  return email.trim().replace(/./gsu, (letter) => {
    const small = letter.toLowerCase()
    const isLookAlike = /^\P{ASCII}/u.test(letter) && /^\p{ASCII}/u.test(small) // such as the Kelvin sign
    return isLookAlike ? letter : small
  })
}
