/** What is said under a field that holds too much. */
export const atMost = (characters: number) => `At most ${characters.toLocaleString('en')} characters`
