/** The message under a field whose text is too long. */
export const tooLongMessage = (characters: number) => `At most ${characters.toLocaleString('en')} characters`
