/** Formats it like the server: H000001. Keyboards may enter lower case, and digits of their own script. */
export function normaliseHostId(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/\s/g, '')
    .replace(/[٠-٩۰-۹०-९]/g, asciiDigit)
    .toUpperCase()
}

export const isHostId = (text: string) => /^H\d{1,9}$/.test(text)

/** The digits of a script are consecutive, starting at a code whose last four bits are 0 or 6. */
function asciiDigit(digit: string): string {
  const code = digit.charCodeAt(0)
  const zero = [0x0660, 0x06f0, 0x0966].find((first) => code >= first && code < first + 10) ?? code
  return String(code - zero)
}
