/** The form in which names and e-mails are compared: case and Unicode form do not tell two of them apart. */
export function comparable(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase().normalize('NFKC')
}
