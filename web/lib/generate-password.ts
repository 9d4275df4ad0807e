/** Without characters that look alike on a phone or are mistaken when read out: 0 and O, 1, l and I. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const LENGTH = 10

type RandomBytes = (bytes: Uint8Array<ArrayBuffer>) => Uint8Array

/** A password that can be typed from a slip of paper. */
export function generatePassword(
  randomBytes: RandomBytes = (bytes) => crypto.getRandomValues(bytes),
  length = LENGTH,
): string {
  const fair = 256 - (256 % ALPHABET.length) // bytes from here on would make the first letters likelier
  let password = ''
  while (password.length < length) {
    for (const byte of randomBytes(new Uint8Array(length))) {
      if (byte < fair && password.length < length) password += ALPHABET[byte % ALPHABET.length]
    }
  }
  return password
}
