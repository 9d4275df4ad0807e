/** The form in which names and e-mails are compared: case and Unicode form do not tell two of them apart. */
export function comparable(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase().normalize('NFKC')
}

/**
 * What a reader sees of the form in which names are compared: joiners, the choice of a picture's variant and repeated
 * spaces do not show.
 */
export function lookOf(key: string): string {
  return key
    .replaceAll(/\u200c|\u200d|[\ufe00-\ufe0f]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** For PostgreSQL: names that `lookOf` may change. */
export const UNSEEN = '\u200c|\u200d|[\ufe00-\ufe0f]|  '

/**
 * Whether two e-mails are one, whatever the case of their letters. Stricter than `comparable`: a letter that merely looks
 * like another, or becomes it in some form, makes another address.
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
