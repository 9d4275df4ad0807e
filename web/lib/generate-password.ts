/** Excludes characters that look alike: 0 and O, 1, l and I. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const LENGTH = 10

type RandomBytes = (bytes: Uint8Array<ArrayBuffer>) => Uint8Array

export function generatePassword(
  randomBytes: RandomBytes = (bytes) => crypto.getRandomValues(bytes),
  length = LENGTH,
): string {
  const fair = 256 - (256 % ALPHABET.length) // higher bytes would make the first letters more likely
  let password = ''
  while (password.length < length) {
    for (const byte of randomBytes(new Uint8Array(length))) {
      if (byte < fair && password.length < length) password += ALPHABET[byte % ALPHABET.length]
    }
  }
  return password
}
