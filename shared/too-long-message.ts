/** Groups digits as English does: 10,000. `toLocaleString` would load 7 MB at every start of the server. */
export const groupDigits = (count: number) => String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')

/** The message under a field whose text is too long. */
export const tooLongMessage = (characters: number) => `At most ${groupDigits(characters)} characters`
